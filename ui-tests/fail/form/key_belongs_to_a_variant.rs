use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(key = "name")]
    name: String,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
