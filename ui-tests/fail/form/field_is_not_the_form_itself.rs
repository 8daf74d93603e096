use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    again: Option<Box<Self>>,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
