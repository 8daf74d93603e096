use mcp_runtime::prelude::*;

struct Add;

/// Adds two numbers.
#[handoff]
impl Add {
    async fn before(&self, a: u8, b: u8) -> u8 {
        a + b
    }

    async fn after(&self, sum: u8) -> String {
        sum.to_string()
    }
}

fn main() {
    drop(Server::new("calculator", "1").tool(Add));
}
