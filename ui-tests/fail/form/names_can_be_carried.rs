use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    größe: u32,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
