use mcp_runtime::prelude::*;

enum Strategy {
    /// Attack.
    Attack,
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
