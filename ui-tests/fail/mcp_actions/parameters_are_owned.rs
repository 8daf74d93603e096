use mcp_runtime::prelude::*;

pub struct Pipelines;

/// Runs pipelines.
#[mcp_actions]
impl Pipelines {
    /// Starts a pipeline.
    #[action]
    async fn start(&self, _name: &str) {}
}

fn main() {}
