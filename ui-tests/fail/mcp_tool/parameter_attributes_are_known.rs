use mcp_runtime::prelude::*;

/// Lists everything.
#[mcp_tool]
async fn list(#[validate(range(max = 100))] limit: u32) {
    let _ = limit;
}

fn main() {}
