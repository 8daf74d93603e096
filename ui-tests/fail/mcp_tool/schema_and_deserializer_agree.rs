use mcp_runtime::prelude::*;

/// Lists everything.
#[mcp_tool]
async fn list(#[schemars(rename = "max")] limit: u32, #[schemars(required)] page: Option<u32>) {
    let _ = (limit, page);
}

fn main() {}
