use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    name: Box<str>,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
