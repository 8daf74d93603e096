use mcp_runtime::prelude::*;

#[derive(SampleTools)]
union Strategy {
    whole: u32,
    bytes: [u8; 4],
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
