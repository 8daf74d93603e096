use mcp_runtime::prelude::*;

/// Finds a row.
#[mcp_tool]
async fn find(row: u32) -> Result<String> {
    if row == 0 { Err("no such row".into()) } else { Ok("found".to_owned()) }
}

fn main() {
    let _ = tools![find];
}
