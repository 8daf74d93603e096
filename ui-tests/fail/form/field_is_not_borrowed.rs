use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    name: &'static str,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
