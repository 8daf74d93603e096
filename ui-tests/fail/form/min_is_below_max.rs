use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(min = 99, max = 18)]
    age: u8,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
