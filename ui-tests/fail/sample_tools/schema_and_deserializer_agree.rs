use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack {
        #[schemars(rename = "field")]
        cell: u8,
    },
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
