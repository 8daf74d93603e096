use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
pub struct Start {
    pub depth: String,
}

pub struct Pipelines;

/// Runs pipelines.
#[mcp_actions]
impl Pipelines {
    /// Starts a pipeline.
    #[action]
    async fn start(&self, #[param(hint = "Use xs.")] #[params] _start: Start) {}
}

fn main() {}
