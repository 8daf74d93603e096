use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup<'a> {
    name: &'a str,
}

fn main() {}
