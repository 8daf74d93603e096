use mcp_runtime::prelude::*;

struct Count {
    rows: u32,
}

/// Counts the notes.
#[mcp_tool]
async fn count() -> Json<Count> {
    Json(Count { rows: 3 })
}

fn main() {}
