use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy<'a> {
    /// Attack.
    Attack { reasoning: &'a str },
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
