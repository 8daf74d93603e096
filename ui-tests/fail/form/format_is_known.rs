use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(format = "datetime")]
    day: String,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
