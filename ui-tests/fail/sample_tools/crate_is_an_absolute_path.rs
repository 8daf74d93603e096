use mcp_runtime::prelude::*;

#[derive(SampleTools)]
#[tool(crate = "mcp_runtime")]
enum Strategy {
    /// Resign.
    Resign,
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
