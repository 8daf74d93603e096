use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    again: Option<Box<Signup>>,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
