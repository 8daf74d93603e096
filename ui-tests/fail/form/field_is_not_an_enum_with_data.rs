use mcp_runtime::prelude::*;

enum Plan {
    Free,
    Team { seats: u32 },
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
