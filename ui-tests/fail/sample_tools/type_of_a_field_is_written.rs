use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack { cell: _ },
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
