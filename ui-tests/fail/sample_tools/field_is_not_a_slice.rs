use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack { cells: [u8] },
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
