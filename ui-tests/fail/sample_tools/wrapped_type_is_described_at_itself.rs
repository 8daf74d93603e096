use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Query {
    text: String,
}

#[derive(SampleTools)]
enum Strategy {
    /// Look it up.
    Search(#[serde(default)] Query),
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
