use mcp_runtime::prelude::*;

struct Query {
    text: String,
}

#[derive(SampleTools)]
enum Strategy {
    /// Look it up.
    Search(Query),
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
