use mcp_runtime::prelude::*;

pub struct Pipelines;

/// Runs pipelines.
#[mcp_actions]
impl Pipelines {
    /// Lists the pipelines.
    #[action(alias)]
    async fn list(&self) {}
}

fn main() {}
