use mcp_runtime::prelude::*;

pub struct Pipelines;

/// Runs pipelines.
#[mcp_actions]
#[mcp_actions]
impl Pipelines {
    /// Lists the pipelines.
    #[action]
    async fn list(&self) {}
}

fn main() {}
