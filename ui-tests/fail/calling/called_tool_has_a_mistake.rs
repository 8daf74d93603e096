use mcp_runtime::{Result, prelude::*};

#[elicits]
enum Shop {
    Confirm { confirmed: bool },
}

/// Sends an order to the shop.
#[mcp_tool(replayabel)]
async fn order(ctx: &Ctx<Shop>, item: String, number: Option<u32>) -> Result<Text<bool>> {
    Ok(Text(ctx.elicit::<Confirm>(format!("{item}: {number:?}")).strict().await?.confirmed))
}

struct Deliver;

/// Delivers an order.
#[handoff(titel = "Delivery")]
impl Deliver {
    async fn before(&self, item: String) -> String {
        item
    }

    async fn client(ctx: &Ctx<Shop>, item: &String) -> Result<bool> {
        Ok(ctx.elicit::<Confirm>(item).strict().await?.confirmed)
    }

    async fn after(&self, item: String, confirmed: bool) -> String {
        format!("{item}: {confirmed}")
    }
}

/// Asks the shop for its best tea.
#[mcp_tool(replayable)]
async fn order_tea(ctx: &Ctx<Shop>) -> Result<String> {
    let ordered = ctx.call_tool(order::with("tea", None)).await?;
    let delivered = ctx.call_tool(Deliver::with("tea")).await?;
    Ok(format!("{ordered} {delivered}"))
}

fn main() {
    let _ = Server::new("s", "1").tools(tools![order, order_tea]).tool(Deliver);
}
