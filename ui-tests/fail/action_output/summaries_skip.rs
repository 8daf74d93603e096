use mcp_runtime::prelude::*;

#[action_output]
#[derive(serde::Serialize, schemars::JsonSchema)]
pub struct Run {
    #[summary]
    pub trace: String,
}

fn main() {}
