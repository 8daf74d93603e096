use mcp_runtime::prelude::*;

struct Pipelines;

/// Runs data pipelines.
#[mcp_actions]
impl Pipelines {
    /// Sorts all files.
    #[action(run, list)]
    async fn sort(&self) -> Json<Vec<String>> {
        Json(Vec::new())
    }
}

fn main() {}
