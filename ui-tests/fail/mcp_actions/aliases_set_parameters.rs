use mcp_runtime::prelude::*;

pub struct Pipelines;

/// Runs pipelines.
#[mcp_actions]
impl Pipelines {
    /// Shows a status.
    #[action(alias("result", trace = true))]
    async fn status(&self, _id: u64, _include_trace: bool) {}
}

fn main() {}
