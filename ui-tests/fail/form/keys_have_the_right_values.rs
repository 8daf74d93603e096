use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(title = 3, not_secret = "yes", min_length = "3")]
    name: String,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
