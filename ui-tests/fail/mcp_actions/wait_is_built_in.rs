use mcp_runtime::prelude::*;

struct Pipelines;

/// Runs data pipelines.
#[mcp_actions]
impl Pipelines {
    /// Sorts a file.
    #[action(run)]
    async fn sort(&self, wait: bool) -> String {
        wait.to_string()
    }

    /// An action that runs at once can have the parameter.
    #[action]
    async fn pause(&self, wait: bool) -> String {
        wait.to_string()
    }
}

fn main() {}
