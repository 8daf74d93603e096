use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy<T> {
    /// Attack.
    Attack { cell: T },
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy<u8>>();
}
