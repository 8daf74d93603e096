//! Actions that run in the background, for the server behind `tests/cli`.

use std::time::Duration;

use mcp_runtime::{actions::Actions, prelude::*, runs::Runs};

struct Jobs;

/// Does jobs.
#[mcp_actions]
impl Jobs {
    /// Works for a while.
    #[action(run)]
    async fn work(&self, ctx: &Ctx, millis: u64) -> String {
        ctx.log(Level::Notice, "at work");
        tokio::time::sleep(Duration::from_millis(millis)).await;
        ctx.log(Level::Notice, "nearly done");
        "done".to_owned()
    }
}

/// A call waits for a run for a short time only.
pub(crate) fn jobs() -> Actions {
    Jobs.into_actions().runs(Runs::default().wait(Duration::from_millis(20)))
}
