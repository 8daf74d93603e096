//! The parameter that names the entry is one of the action.

use mcp_runtime::{
    Result,
    actions::{Catalog, CatalogEntry},
    prelude::*,
};
use serde_json::Value;

struct Pipelines;

/// Runs pipelines.
#[mcp_actions(catalog)]
impl Pipelines {
    /// Starts one.
    #[action]
    async fn start(&self, name: String, #[param(inputs_of = nam)] inputs: Value) -> String {
        format!("{name} {inputs}")
    }

    /// Stops one.
    #[action]
    async fn stop(&self, name: String, #[param(inputs_of = "name")] inputs: Value) -> String {
        format!("{name} {inputs}")
    }
}

impl Catalog for Pipelines {
    async fn names(&self) -> Result<Vec<(String, String)>> {
        Ok(Vec::new())
    }

    async fn entry(&self, _: &str) -> Result<Option<CatalogEntry>> {
        Ok(None)
    }
}

fn main() {}
