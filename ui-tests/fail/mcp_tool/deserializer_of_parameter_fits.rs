use mcp_runtime::prelude::*;

use serde::{Deserialize, Deserializer};

/// Lists everything.
#[mcp_tool]
async fn list(#[serde(deserialize_with = "limit")] limit: u32) {
    let _ = limit;
}

fn limit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    String::deserialize(deserializer)
}

fn main() {}
