use mcp_runtime::{Email, prelude::*};

#[derive(Form)]
struct Signup {
    #[elicit(format = "email")]
    email: Email,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
