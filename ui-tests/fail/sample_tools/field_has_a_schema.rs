use mcp_runtime::prelude::*;

#[derive(serde::Deserialize)]
struct Cell(u8);

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack {
        #[serde(deserialize_with = "cell")]
        cell: Cell,
    },
}

fn cell<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Cell, D::Error> {
    serde::Deserialize::deserialize(deserializer)
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
