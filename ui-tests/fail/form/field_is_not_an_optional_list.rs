use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    tags: Option<Vec<String>>,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
