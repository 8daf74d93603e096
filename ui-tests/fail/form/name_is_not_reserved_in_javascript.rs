use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(rename = "constructor")]
    kind: String,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
