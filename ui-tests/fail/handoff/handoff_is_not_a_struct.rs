use mcp_runtime::prelude::*;

/// Adds two numbers.
#[handoff]
struct Add;

fn main() {
    let _ = Add;
}
