use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    PlayHard,
    /// Attack too.
    #[tool(name = "play_hard")]
    PlayHarder,
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
