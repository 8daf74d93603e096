use mcp_runtime::prelude::*;

#[elicits]
struct Signup {
    name: String,
}

fn main() {}
