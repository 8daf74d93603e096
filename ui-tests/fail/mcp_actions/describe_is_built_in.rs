use mcp_runtime::prelude::*;

pub struct Pipelines;

/// Runs pipelines.
#[mcp_actions]
impl Pipelines {
    /// Describes a pipeline.
    #[action]
    async fn describe(&self) {}
}

fn main() {}
