//! The inputs of an entry are those of a catalog's entry.

use mcp_runtime::prelude::*;

struct Pipelines;

/// Runs pipelines.
#[mcp_actions]
impl Pipelines {
    /// Starts one.
    #[action]
    async fn start(&self, _name: String, #[param(inputs_of = _name)] _inputs: serde_json::Value) {}
}

fn main() {}
