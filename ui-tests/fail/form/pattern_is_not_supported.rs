use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(pattern = "[A-Z]{3}")]
    code: String,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
