use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[schemars(range(min = 18))]
    age: u8,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
