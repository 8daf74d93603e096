use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack { reasoning: &'static str },
    /// Look it up.
    Search(&'static [u8]),
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
