use mcp_runtime::prelude::*;

/// Shows the price.
#[mcp_tool]
async fn price(größe: u32, #[serde(rename = "in stock")] in_stock: bool) {
    let _ = (größe, in_stock);
}

fn main() {}
