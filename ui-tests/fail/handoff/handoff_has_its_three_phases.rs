use mcp_runtime::prelude::*;

struct Add;

/// Adds two numbers.
#[handoff]
impl Add {
    fn add(a: u8, b: u8) -> u8 {
        a + b
    }
}

fn main() {
    Add::add(1, 2);
    drop(Server::new("calculator", "1").tool(Add));
}
