use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(min = 3)]
    name: String,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
