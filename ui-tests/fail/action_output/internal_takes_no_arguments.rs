use mcp_runtime::prelude::*;

#[action_output]
#[derive(serde::Serialize, schemars::JsonSchema)]
pub struct Run {
    #[internal(always)]
    pub lease: String,
}

fn main() {}
