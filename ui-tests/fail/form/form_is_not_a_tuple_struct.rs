use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup(String, u8);

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
