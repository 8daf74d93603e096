use mcp_runtime::{Result, prelude::*};

#[elicits]
enum Order {
    Confirm { confirmed: bool },
}

#[elicits]
enum Travel {
    Dates { from: String },
}

/// Sends an order to the shop.
#[mcp_tool(replayable)]
async fn order(ctx: &Ctx<Order>, item: String) -> Result<Text<bool>> {
    Ok(Text(ctx.elicit::<Confirm>(item).strict().await?.confirmed))
}

/// Chooses dates, and what to bring.
#[mcp_tool(replayable)]
async fn plan(ctx: &Ctx<Travel>) -> Result<String> {
    let dates = ctx.elicit::<Dates>("When?").strict().await?;
    ctx.call_tool(order::with("tea").asks_apart()).await?;
    ctx.call_tool(order::with("bread")).await?;
    Ok(dates.from)
}

fn main() {
    let _ = tools![order, plan];
}
