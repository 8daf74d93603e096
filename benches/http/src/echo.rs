//! The types and the resource of both servers.

use mcp_runtime::contract;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Echo {
    /// The text to return.
    pub(crate) text: String,
}

pub(crate) struct Echoes;

/// Returns what it gets.
#[contract(resource = "echoes")]
impl Echoes {
    /// Returns the text.
    #[method(status = 200)]
    async fn create(&self, input: Echo) -> Echo {
        input
    }

    /// Returns the number as text.
    async fn get(&self, id: u64) -> Echo {
        Echo { text: id.to_string() }
    }
}
