use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(min_items = 1)]
    name: String,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
