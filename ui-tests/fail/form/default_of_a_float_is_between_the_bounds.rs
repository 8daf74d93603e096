use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(max = 23.5, default = 23.6)]
    weight: f64,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
