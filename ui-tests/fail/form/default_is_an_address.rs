use mcp_runtime::{elicit::Email, prelude::*};

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
