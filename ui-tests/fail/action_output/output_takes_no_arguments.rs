use mcp_runtime::prelude::*;

#[action_output(internal)]
#[derive(serde::Serialize, schemars::JsonSchema)]
pub struct Run {
    pub id: u32,
}

fn main() {}
