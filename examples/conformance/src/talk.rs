//! Tools that send messages before they end.

use std::time::Duration;

use mcp_runtime::prelude::*;
use tokio::time::sleep;

/// Sends three log messages while it works.
#[mcp_tool(read_only)]
pub(crate) async fn test_tool_with_logging(ctx: &Ctx) -> &'static str {
    ctx.log(Level::Info, "Tool execution started");
    sleep(PAUSE).await;
    ctx.log(Level::Info, "Tool processing data");
    sleep(PAUSE).await;
    ctx.log(Level::Info, "Tool execution completed");
    "Tool with logging executed successfully"
}

/// Reports three times how far it is.
#[mcp_tool(read_only)]
pub(crate) async fn test_tool_with_progress(ctx: &Ctx) -> &'static str {
    ctx.progress(0.0).total(100.0);
    sleep(PAUSE).await;
    ctx.progress(50.0).total(100.0);
    sleep(PAUSE).await;
    ctx.progress(100.0).total(100.0);
    "Tool with progress executed successfully"
}

/// Sends log messages at every level. A client of 2026-07-28 gets those that its request asks for.
#[mcp_tool(read_only)]
pub(crate) async fn test_logging_tool(ctx: &Ctx) -> &'static str {
    for level in Level::ALL {
        ctx.log(level, format!("A message of the level {}", level.as_str()));
    }
    "Logging tool executed successfully"
}

/// The pause between two messages. After a shorter pause, the server would drop the second progress report, or a gateway
/// to which it comes a little earlier.
const PAUSE: Duration = Duration::from_millis(70);

/// Sends its client away for a while, and has its result for it when it comes again.
#[mcp_tool(read_only)]
pub(crate) async fn test_reconnection(ctx: &Ctx) -> &'static str {
    ctx.close_stream(PAUSE);
    sleep(2 * PAUSE).await;
    "Reconnection test completed"
}

/// Needs a client whose model can be asked, and is refused to any other.
#[mcp_tool(requires(sampling))]
pub(crate) async fn test_missing_capability() -> &'static str {
    "The client's model could be asked."
}
