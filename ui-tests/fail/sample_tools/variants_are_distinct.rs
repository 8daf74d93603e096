use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack,
    /// Attack a cell.
    Attack { cell: u8 },
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
