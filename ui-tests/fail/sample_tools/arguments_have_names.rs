use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack(u8, String),
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
