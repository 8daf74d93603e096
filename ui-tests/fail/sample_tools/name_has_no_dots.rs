use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy {
    /// Resign.
    #[tool(name = "game.resign")]
    Resign,
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
