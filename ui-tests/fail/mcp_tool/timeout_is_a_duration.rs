use mcp_runtime::prelude::*;

/// Waits.
#[mcp_tool(timeout = "30 sec")]
async fn wait() {}

/// Waits for somebody.
#[mcp_tool(answer_within = "1d")]
async fn wait_for_somebody() {}

fn main() {}
