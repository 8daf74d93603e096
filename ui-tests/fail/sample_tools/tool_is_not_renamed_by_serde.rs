use mcp_runtime::prelude::*;

#[derive(SampleTools, serde::Serialize)]
enum Strategy {
    /// Attack.
    #[serde(rename = "attack_now")]
    Attack,
    /// Resign.
    #[serde(skip)]
    Resign,
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
