use mcp_runtime::prelude::*;

pub struct Depth;

pub struct Pipelines;

/// Runs pipelines.
#[mcp_actions]
impl Pipelines {
    /// Starts a pipeline.
    #[action]
    async fn start(&self, _depth: Depth) {}
}

fn main() {}
