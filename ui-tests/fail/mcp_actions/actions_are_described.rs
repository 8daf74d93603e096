use mcp_runtime::prelude::*;

pub struct Pipelines;

/// Runs pipelines.
#[mcp_actions]
impl Pipelines {
    #[action]
    async fn list(&self) {}
}

fn main() {}
