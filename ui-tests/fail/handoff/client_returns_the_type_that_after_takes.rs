use mcp_runtime::prelude::*;

struct Add;

/// Adds two numbers.
#[handoff]
impl Add {
    async fn before(&self, a: u8) -> u8 {
        a
    }

    async fn client(_ctx: &Ctx, sum: &u8) -> Result<Option<bool>, ToolError> {
        Ok(Some(*sum > 0))
    }

    async fn after(&self, sum: u8, _certain: bool) -> String {
        sum.to_string()
    }
}

fn main() {
    drop(Server::new("calculator", "1").tool(Add));
}
