use mcp_runtime::prelude::*;

pub struct NotAnError;

pub struct Pipelines;

/// Runs pipelines.
#[mcp_actions]
impl Pipelines {
    /// Lists the pipelines.
    #[action]
    async fn list(&self) -> Result<(), NotAnError> {
        Err(NotAnError)
    }
}

fn main() {}
