use mcp_runtime::{Result, call::PhaseCtx, prelude::*};

/// Looks up what the shop takes for an item.
#[mcp_tool(read_only)]
async fn price(item: String) -> Text<usize> {
    Text(item.len())
}

struct Order;

/// Sends an order to the shop.
#[handoff]
impl Order {
    async fn before(&self, ctx: &PhaseCtx, item: String) -> Result<usize> {
        ctx.call_tool(price::with(item)).await
    }

    async fn client(_ctx: &Ctx, _price: &usize) {}

    async fn after(&self, price: usize, _: ()) -> Text<usize> {
        Text(price)
    }
}

fn main() {
    let _ = tools![price];
    let _ = Server::new("s", "1").tool(Order);
}
