use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(title = "Name", title = "Your name")]
    name: String,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
