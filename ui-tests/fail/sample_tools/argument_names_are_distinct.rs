use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack {
        cell: u8,
        #[serde(rename = "cell")]
        other: u8,
    },
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
