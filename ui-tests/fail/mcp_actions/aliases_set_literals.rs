use mcp_runtime::prelude::*;

pub struct Pipelines;

/// Runs pipelines.
#[mcp_actions]
impl Pipelines {
    /// Shows a status.
    #[action(alias("result", trace = is_traced()))]
    async fn status(&self, _trace: bool) {}
}

fn main() {}
