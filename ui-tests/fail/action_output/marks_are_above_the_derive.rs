use mcp_runtime::prelude::*;

#[derive(serde::Serialize, schemars::JsonSchema)]
#[action_output]
pub struct Run {
    pub id: u32,
    pub lease: String,
}

fn main() {}
