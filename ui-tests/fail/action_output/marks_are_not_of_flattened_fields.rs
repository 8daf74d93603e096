use mcp_runtime::prelude::*;

use std::collections::BTreeMap;

#[action_output]
#[derive(serde::Serialize, schemars::JsonSchema)]
pub struct Run {
    #[internal]
    #[serde(flatten)]
    pub extra: BTreeMap<String, String>,
}

fn main() {}
