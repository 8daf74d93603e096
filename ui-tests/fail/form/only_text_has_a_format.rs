use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(format = "date")]
    age: u8,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
