use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Cell(u8);

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack {
        #[serde(default)]
        cell: Cell,
    },
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
