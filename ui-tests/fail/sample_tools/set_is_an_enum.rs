use mcp_runtime::prelude::*;

#[derive(SampleTools)]
struct Strategy {
    reasoning: String,
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
