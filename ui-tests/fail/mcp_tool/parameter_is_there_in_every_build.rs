use mcp_runtime::prelude::*;

/// Lists everything.
#[mcp_tool]
async fn list(#[cfg(feature = "paging")] limit: u32) {
    let _ = limit;
}

fn main() {}
