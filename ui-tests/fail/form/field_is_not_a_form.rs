use mcp_runtime::prelude::*;

#[derive(Form)]
struct Address {
    city: String,
}

#[derive(Form)]
struct Signup {
    address: Address,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
