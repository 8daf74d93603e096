use mcp_runtime::prelude::*;

/// Waits.
#[mcp_tool(timeout = 30)]
async fn wait() {}

/// Waits for somebody.
#[mcp_tool(answer_within = 15m)]
async fn wait_for_somebody() {}

/// Waits for everybody.
#[mcp_tool(timeout(5))]
async fn wait_for_everybody() {}

/// Waits for nobody.
#[mcp_tool(timeout = std::time::Duration::from_secs(30))]
async fn wait_for_nobody() {}

fn main() {
    drop(tools![wait, wait_for_somebody, wait_for_everybody, wait_for_nobody]);
}
