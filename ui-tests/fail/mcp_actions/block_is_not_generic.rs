use mcp_runtime::prelude::*;

pub struct Pipelines<T>(T);

/// Runs pipelines.
#[mcp_actions]
impl<T: Send + Sync + 'static> Pipelines<T> {
    /// Lists the pipelines.
    #[action]
    async fn list(&self) {}
}

fn main() {}
