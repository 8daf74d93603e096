use mcp_runtime::prelude::*;

use std::collections::HashSet;

#[derive(Form)]
struct Signup {
    tags: HashSet<String>,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
