use mcp_runtime::prelude::*;

pub struct Pipelines;

/// Runs pipelines.
#[mcp_actions]
impl Pipelines {
    /// Finds a pipeline.
    #[action]
    async fn find<T>(&self, _name: String) {}
}

fn main() {}
