use mcp_runtime::prelude::*;

struct Add;

struct Number(u8);

/// Adds two numbers.
#[handoff(titel = "Add")]
impl Add {
    async fn before(self, a: Number) -> u8 {
        a.0
    }

    fn client(_ctx: &Ctx, sum: &u8) -> bool {
        *sum > 0
    }

    async fn after(&self, sum: u8, _certain: bool) -> u16 {
        sum.into()
    }
}

fn main() {
    drop(Server::new("calculator", "1").tool(Add));
}
