use mcp_runtime::prelude::*;

struct Db {
    name: String,
}

/// Says the name of the database.
#[mcp_tool]
async fn name(db: &Db) -> &str {
    &db.name
}

fn main() {}
