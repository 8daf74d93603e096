use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup;

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
