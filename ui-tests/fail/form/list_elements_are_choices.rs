use mcp_runtime::{elicit::MultiSelect, prelude::*};

#[derive(Form)]
struct Signup {
    tags: MultiSelect<String>,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
