use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(min_length = 3, default = "ab")]
    code: String,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
