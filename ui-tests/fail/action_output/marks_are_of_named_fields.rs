use mcp_runtime::prelude::*;

#[action_output]
#[derive(serde::Serialize, schemars::JsonSchema)]
pub struct Run(pub u32, #[internal] pub String);

fn main() {}
