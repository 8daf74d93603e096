use mcp_runtime::prelude::*;

struct Add;

trait Adding {
    fn before(&self) {}
}

/// Adds two numbers.
#[handoff]
impl Adding for Add {
    fn before(&self) {}
}

fn main() {}
