use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    wait: std::time::Duration,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
