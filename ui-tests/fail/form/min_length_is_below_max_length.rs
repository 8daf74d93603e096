use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(min_length = 6, max_length = 3)]
    code: String,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
