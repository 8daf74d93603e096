use mcp_runtime::{Result, prelude::*};

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Price {
    euros: u32,
}

/// Looks up what the shop takes for an item.
#[mcp_tool(read_only)]
async fn price(item: String) -> Json<Price> {
    Json(Price { euros: item.len() as u32 })
}

/// Looks up what tea costs today.
#[mcp_tool(read_only)]
async fn price_of_tea(ctx: &Ctx) -> Result<Text<u32>> {
    Ok(Text(ctx.call_tool(price::with("tea")).await?.euros))
}

fn main() {
    let _ = tools![price, price_of_tea];
}
