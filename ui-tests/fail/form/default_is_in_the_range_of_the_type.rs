use mcp_runtime::prelude::*;

type Age = Option<u8>;

#[derive(Form)]
struct Signup {
    #[elicit(default = 300)]
    age: Age,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
