use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy {
    #[tool(description = "")]
    Resign,
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
