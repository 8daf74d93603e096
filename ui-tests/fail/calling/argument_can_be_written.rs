use mcp_runtime::{Result, prelude::*};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Item {
    name: String,
}

/// Sends an order to the shop.
#[mcp_tool]
async fn order(item: Item) -> String {
    item.name
}

/// Asks the shop for its best tea.
#[mcp_tool]
async fn order_tea(ctx: &Ctx) -> Result<String> {
    ctx.call_tool(order::with(Item { name: "tea".to_owned() })).await
}

fn main() {
    let _ = tools![order, order_tea];
}
