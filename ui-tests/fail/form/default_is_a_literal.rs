use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(default = u8::MAX)]
    age: u8,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
