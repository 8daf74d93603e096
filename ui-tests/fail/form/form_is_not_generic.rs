use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup<T> {
    name: String,
    more: T,
}

#[elicits]
enum Questions {
    Signup(Signup<String>),
}

fn main() {}
