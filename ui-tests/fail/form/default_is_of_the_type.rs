use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(default = "18")]
    age: u8,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
