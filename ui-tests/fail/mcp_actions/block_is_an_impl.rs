use mcp_runtime::prelude::*;

/// Lists the pipelines.
#[mcp_actions]
pub async fn list() {}

fn main() {}
