use mcp_runtime::prelude::*;

struct NotFound;

/// Finds a row.
#[mcp_tool]
async fn find(row: u32) -> Result<String, NotFound> {
    if row == 0 { Err(NotFound) } else { Ok("found".to_owned()) }
}

fn main() {}
