use std::borrow::Cow;

use mcp_runtime::prelude::*;

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack { reasons: Vec<&'static str>, line: Cow<'static, str> },
    /// Look it up.
    Search(&str),
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
