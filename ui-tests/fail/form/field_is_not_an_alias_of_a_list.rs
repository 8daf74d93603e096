use mcp_runtime::prelude::*;

type Tags = Vec<String>;

#[derive(Form)]
struct Signup {
    tags: Tags,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
