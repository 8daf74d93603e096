use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy {
    #[tool(descripton = "Resign.")]
    Resign,
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
