use mcp_runtime::prelude::*;

enum Plan {
    Free,
    Team,
}

#[derive(Form)]
struct Signup {
    plan: Plan,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
