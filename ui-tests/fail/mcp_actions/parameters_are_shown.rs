use mcp_runtime::prelude::*;

pub struct Pipelines;

/// Runs pipelines.
#[mcp_actions]
impl Pipelines {
    /// Starts a pipeline.
    #[action]
    async fn start(&self, #[serde(rename = "_depth")] _depth: String) {}
}

fn main() {}
