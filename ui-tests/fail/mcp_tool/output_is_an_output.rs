use mcp_runtime::prelude::*;

/// Counts.
#[mcp_tool]
async fn count() -> u32 {
    3
}

fn main() {
    let _ = tools![count];
}
