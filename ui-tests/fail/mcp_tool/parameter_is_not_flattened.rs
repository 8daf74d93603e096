use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Page {
    limit: usize,
}

/// Lists everything.
#[mcp_tool]
async fn list(#[serde(flatten)] page: Page) -> String {
    page.limit.to_string()
}

fn main() {}
