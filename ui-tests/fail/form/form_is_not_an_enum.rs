use mcp_runtime::prelude::*;

#[derive(Form)]
enum Signup {
    Person { name: String },
    Company { name: String },
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
