use mcp_runtime::prelude::*;

#[action_output]
pub fn run() {}

fn main() {}
