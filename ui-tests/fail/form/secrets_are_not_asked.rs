use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    password: String,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
