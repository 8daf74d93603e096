use mcp_runtime::prelude::*;

use std::collections::BTreeMap;

#[derive(Form)]
struct Signup {
    scores: BTreeMap<String, u32>,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
