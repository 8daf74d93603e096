use mcp_runtime::prelude::*;

/// Waits a moment.
#[mcp_tool(timeout = 30)]
async fn wait() {}

/// Waits until somebody comes.
#[mcp_tool(answer_within = 15m)]
async fn wait_for_somebody() {}

/// Waits until everybody is here.
#[mcp_tool(timeout(5))]
async fn wait_for_everybody() {}

/// Waits until nobody is left.
#[mcp_tool(timeout = std::time::Duration::from_secs(30))]
async fn wait_for_nobody() {}

fn main() {
    drop(tools![wait, wait_for_somebody, wait_for_everybody, wait_for_nobody]);
}
