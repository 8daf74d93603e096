use mcp_runtime::prelude::*;

struct Pipelines;

/// Runs data pipelines.
#[mcp_actions]
impl Pipelines {
    /// Sorts a file.
    #[action(run, alias = "restart")]
    async fn sort(&self) -> String {
        String::new()
    }

    /// Returns the status.
    #[action]
    async fn status(&self) -> String {
        String::new()
    }

    /// Returns the runs.
    #[action(name = "runs")]
    async fn all_runs(&self) -> String {
        String::new()
    }
}

fn main() {}
