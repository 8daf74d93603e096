use mcp_runtime::prelude::*;

struct Pipelines;

/// Runs data pipelines.
#[mcp_actions(task)]
impl Pipelines {
    /// Sorts a file.
    #[action]
    async fn sort(&self) -> String {
        String::new()
    }
}

fn main() {}
