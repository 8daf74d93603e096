use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[serde(rename = "Name")]
    name: String,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
