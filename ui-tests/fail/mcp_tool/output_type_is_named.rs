use mcp_runtime::prelude::*;

/// Counts.
#[mcp_tool]
async fn count() -> impl ToString {
    3
}

fn main() {}
