use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(max_length = 3)]
    age: Option<u8>,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
