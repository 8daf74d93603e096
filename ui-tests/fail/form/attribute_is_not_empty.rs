use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit]
    name: String,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
