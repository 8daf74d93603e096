use mcp_runtime::prelude::*;

struct Add;

/// Adds two numbers.
#[handoff]
impl Add {
    async fn before(&self, a: u8) -> u8 {
        a
    }

    async fn client(_ctx: &Ctx, sum: &u8) -> bool {
        *sum > 0
    }

    async fn after(&self, ctx: &PhaseCtx, sum: u8, _certain: bool) -> mcp_runtime::Result<String> {
        ctx.elicit_url("pay", "https://example.com/pay", "Pay").await?;
        ctx.roots().await?;
        Ok(sum.to_string())
    }
}

fn main() {
    drop(Server::new("calculator", "1").tool(Add));
}
