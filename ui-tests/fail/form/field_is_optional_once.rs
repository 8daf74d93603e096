use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    name: Option<Option<String>>,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
