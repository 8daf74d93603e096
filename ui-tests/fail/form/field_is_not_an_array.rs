use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    color: [u8; 3],
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
