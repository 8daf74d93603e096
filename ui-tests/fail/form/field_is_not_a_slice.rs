use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    name: String,
    tags: [String],
}

fn main() {}
