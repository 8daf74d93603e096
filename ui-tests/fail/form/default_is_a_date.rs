use mcp_runtime::prelude::*;

#[derive(Form)]
struct Signup {
    #[elicit(format = "date", default = "2026-02-29")]
    day: String,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
