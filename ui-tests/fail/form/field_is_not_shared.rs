use mcp_runtime::prelude::*;

use std::rc::Rc;

#[derive(Form)]
struct Signup {
    name: Rc<String>,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
