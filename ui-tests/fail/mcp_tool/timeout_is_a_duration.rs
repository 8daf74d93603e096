use mcp_runtime::prelude::*;

/// Waits a moment.
#[mcp_tool(timeout = "30 sec")]
async fn wait() {}

/// Waits until somebody comes.
#[mcp_tool(answer_within = "1d")]
async fn wait_for_somebody() {}

fn main() {}
