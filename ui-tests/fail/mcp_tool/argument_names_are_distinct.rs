use mcp_runtime::prelude::*;

/// Shows a page.
#[mcp_tool]
async fn page(limit: u32, #[serde(alias = "limit")] max: u32) {
    let _ = (limit, max);
}

fn main() {}
