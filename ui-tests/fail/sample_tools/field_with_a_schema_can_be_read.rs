use mcp_runtime::prelude::*;

struct Cell(u8);

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack {
        #[schemars(with = "u8")]
        cell: Cell,
    },
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
