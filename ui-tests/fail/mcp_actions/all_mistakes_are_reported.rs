use mcp_runtime::prelude::*;

pub struct Depth;

pub struct Pipelines;

#[mcp_actions(name = "data pipelines")]
impl Pipelines {
    /// Lists the pipelines.
    #[action(lst)]
    fn list(&self) {}

    #[action(alias("result", trace = true))]
    async fn status(&self, id: u64) {}

    /// Starts a pipeline.
    #[action(alias = "describe")]
    async fn start(&mut self, #[param(hint = 1)] depth: Depth) -> Vec<u8> {
        Vec::new()
    }
}

fn main() {}
