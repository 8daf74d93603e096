use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(rename = "openaiApiKey")]
    key: String,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
