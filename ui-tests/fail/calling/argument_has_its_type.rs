use mcp_runtime::{Result, prelude::*};

/// Sends an order to the shop.
#[mcp_tool]
async fn order(item: String, number: Option<u32>) -> String {
    format!("{item}: {number:?}")
}

/// Asks the shop for its best tea.
#[mcp_tool]
async fn order_tea(ctx: &Ctx) -> Result<String> {
    ctx.call_tool(order::with("tea", 3)).await?;
    ctx.call_tool(order::with("tea", "three")).await
}

fn main() {
    let _ = tools![order, order_tea];
}
