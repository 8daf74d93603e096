use mcp_runtime::prelude::*;

trait List {
    async fn list(&self);
}

pub struct Pipelines;

/// Runs pipelines.
#[mcp_actions]
impl List for Pipelines {
    /// Lists the pipelines.
    #[action]
    async fn list(&self) {}
}

fn main() {}
