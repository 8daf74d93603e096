use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(min = 18, max = 120, default = 7)]
    age: u8,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
