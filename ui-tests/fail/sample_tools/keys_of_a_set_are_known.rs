use mcp_runtime::prelude::*;

#[derive(SampleTools)]
#[tool(name = "strategy")]
enum Strategy {
    /// Resign.
    Resign,
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
