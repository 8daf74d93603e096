use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    name: String,
    #[elicit(rename = "name")]
    nickname: String,
}

fn main() {}
