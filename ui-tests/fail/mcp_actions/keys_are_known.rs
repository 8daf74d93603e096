use mcp_runtime::prelude::*;

pub struct Pipelines;

/// Runs pipelines.
#[mcp_actions(nmae = "pipelines")]
impl Pipelines {
    /// Lists the pipelines.
    #[action]
    async fn list(&self) {}
}

fn main() {}
