use mcp_runtime::prelude::*;

struct Add;

struct Sum(u8);

/// Adds two numbers.
#[handoff]
impl Add {
    async fn before(&self, a: u8) -> Sum {
        Sum(a)
    }

    async fn client(_ctx: &Ctx, sum: &Sum) -> bool {
        sum.0 > 0
    }

    async fn after(&self, sum: Sum, _certain: bool) -> String {
        sum.0.to_string()
    }
}

fn main() {
    drop(Server::new("calculator", "1").tool(Add));
}
