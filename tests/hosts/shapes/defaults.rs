//! Parameters with defaults.

use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{choices::Seat, structs::Place};

/// How to sort.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Sorting {
    by: String,
    descending: bool,
    then: Option<String>,
}

impl Default for Sorting {
    fn default() -> Self {
        Self { by: "name".into(), descending: false, then: None }
    }
}

/// Takes values that have a default.
#[mcp_tool(read_only)]
#[allow(clippy::too_many_arguments)]
pub(crate) async fn defaults(
    /// How many.
    #[serde(default = 20)]
    _limit: u32,
    #[serde(default)] _offset: u64,
    #[serde(default = 0.5)] _share: f64,
    #[serde(default)] _reverse: bool,
    #[serde(default)] _text: String,
    #[serde(default)] _words: Vec<String>,
    #[serde(default)] _nothing: Option<String>,
    #[serde(default = Some(3))] _three: Option<u8>,
    #[serde(default)] _pair: (u8, u8),
    #[serde(default)] _seats: Vec<Seat>,
) {
}

/// Takes structs that have a default.
#[mcp_tool(read_only)]
pub(crate) async fn defaults_of_structs(
    /// How to sort.
    #[serde(default)]
    _sorting: Sorting,
    _optional: Option<Sorting>,
    #[serde(default)] _place: Place,
) {
}
