use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy {
    /// Resign.
    #[tool(name = "")]
    Resign,
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
