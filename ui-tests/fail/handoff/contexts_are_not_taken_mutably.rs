use mcp_runtime::prelude::*;

struct Add;

/// Adds two numbers.
#[handoff]
impl Add {
    async fn before(&self, _ctx: &mut PhaseCtx, a: u8) -> u8 {
        a
    }

    async fn client(_ctx: &mut Ctx, sum: &u8) -> bool {
        *sum > 0
    }

    async fn after(&self, _ctx: &mut PhaseCtx, sum: u8, certain: bool) -> String {
        format!("{sum} {certain}")
    }
}

fn main() {
    drop(Server::new("calculator", "1").tool(Add));
}
