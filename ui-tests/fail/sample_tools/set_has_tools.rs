use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy {}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
