use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy {
    /// Resign.
    Résigner,
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
