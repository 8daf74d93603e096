use mcp_runtime::{Email, prelude::*};

#[derive(Form)]
struct Signup {
    #[elicit(default = "nobody")]
    email: Email,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
