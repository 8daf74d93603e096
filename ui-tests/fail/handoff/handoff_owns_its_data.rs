use mcp_runtime::prelude::*;

struct Add;

/// Adds two numbers.
#[handoff]
impl Add {
    async fn before(&self, a: u8) -> String {
        a.to_string()
    }

    async fn client(_ctx: &Ctx, _sum: &String) -> bool {
        true
    }

    async fn after(&self, sum: std::borrow::Cow<'_, str>, _certain: bool) -> String {
        sum.to_string()
    }
}

fn main() {
    drop(Server::new("calculator", "1").tool(Add));
}
