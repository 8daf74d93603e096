use mcp_runtime::prelude::*;

struct Db;

/// Counts the rows.
#[mcp_tool]
async fn count<'a>(db: &'a Db) {
    let _ = db;
}

fn main() {}
