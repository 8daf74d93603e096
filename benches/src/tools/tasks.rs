//! Tools whose calls become tasks, and actions that are runs, written with `mcp-runtime`.

use std::future::pending;

use mcp_runtime::{mcp_tool, prelude::*};

/// Give the text back, as the result of a task.
#[mcp_tool(task)]
pub(crate) async fn echo_later(
    /// The text to give back.
    text: String,
) -> String {
    text
}

/// Work without end.
#[mcp_tool(task)]
pub(crate) async fn hold() {
    pending::<()>().await;
}

pub(crate) struct Jobs;

/// Jobs in the background.
#[mcp_actions]
impl Jobs {
    /// Give the text back, as the output of a run.
    #[action(run)]
    async fn echo(
        &self,
        /// The text to give back.
        text: String,
    ) -> String {
        text
    }

    /// Work without end.
    #[action(run)]
    async fn hold(&self) {
        pending::<()>().await;
    }
}
