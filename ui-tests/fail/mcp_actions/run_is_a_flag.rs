use mcp_runtime::prelude::*;

struct Pipelines;

/// Runs data pipelines.
#[mcp_actions]
impl Pipelines {
    /// Sorts a file.
    #[action(run = "background")]
    async fn sort(&self) -> String {
        String::new()
    }
}

fn main() {}
