use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    size: (u32, u32),
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
