use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy {
    /// Resign.
    #[tool(name = resign)]
    Resign,
    #[tool]
    /// Attack.
    Attack,
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
