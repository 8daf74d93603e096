use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy {
    /// Resign.
    ResignAndSayThatTheOtherSideHasPlayedBetterInEveryWayThatMattersToday,
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
