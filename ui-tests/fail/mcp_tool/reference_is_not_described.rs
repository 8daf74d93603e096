use mcp_runtime::prelude::*;

struct Db;

/// Lists everything.
#[mcp_tool]
async fn list(
    /// Where the rows are.
    db: &Db,
) {
    let _ = db;
}

fn main() {}
