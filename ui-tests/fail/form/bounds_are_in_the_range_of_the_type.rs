use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(min = -1)]
    age: u8,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
