use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(titel = "Name")]
    name: String,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
