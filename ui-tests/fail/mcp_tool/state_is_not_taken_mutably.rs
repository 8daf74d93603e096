use mcp_runtime::prelude::*;

struct Db;

/// Adds a row.
#[mcp_tool]
async fn insert(db: &mut Db, row: String) {
    let _ = (db, row);
}

fn main() {}
