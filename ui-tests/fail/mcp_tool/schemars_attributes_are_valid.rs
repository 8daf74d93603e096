use mcp_runtime::prelude::*;

/// Lists everything.
#[mcp_tool]
async fn list(#[schemars(rnage(min = 1))] limit: u32) {
    let _ = limit;
}

fn main() {
    let _ = tools![list];
}
