use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    tags: Vec<String>,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
