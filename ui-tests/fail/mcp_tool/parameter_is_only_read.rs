use mcp_runtime::prelude::*;

/// Lists everything.
#[mcp_tool]
async fn list(#[serde(skip_serializing_if = "Option::is_none", defualt)] limit: Option<u32>) {
    let _ = limit;
}

fn main() {}
