use mcp_runtime::prelude::*;

pub struct Pipelines;

/// Runs pipelines.
#[mcp_actions]
impl Pipelines {
    /// Removes all pipelines.
    #[action]
    async fn clear(&mut self) {}
}

fn main() {}
