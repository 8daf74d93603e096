use mcp_runtime::prelude::*;

#[derive(Form)]
#[elicit(key = "signup")]
struct Signup {
    name: String,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
