//! The tool that waits, written with `mcp-runtime`.

use std::time::Duration;

use mcp_runtime::mcp_tool;

/// Wait.
#[mcp_tool]
pub(crate) async fn nap(
    /// How long.
    milliseconds: u64,
) -> &'static str {
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    "rested"
}
