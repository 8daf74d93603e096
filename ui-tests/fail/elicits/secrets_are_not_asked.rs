use mcp_runtime::prelude::*;

#[elicits]
enum Login {
    Token { access_token: String },
}

fn main() {}
