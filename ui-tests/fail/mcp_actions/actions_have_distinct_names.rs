use mcp_runtime::prelude::*;

pub struct Pipelines;

/// Runs pipelines.
#[mcp_actions]
impl Pipelines {
    /// Shows a result.
    #[action]
    async fn result(&self) {}

    /// Shows a status.
    #[action(alias = "result")]
    async fn status(&self) {}
}

fn main() {}
