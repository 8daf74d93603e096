use mcp_runtime::prelude::*;

pub struct Pipelines;

/// Runs pipelines.
#[mcp_actions(catalog)]
impl Pipelines {
    /// Lists the pipelines.
    #[action]
    async fn list(&self) {}
}

fn main() {}
