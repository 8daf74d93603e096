use mcp_runtime::prelude::*;

struct Shop;

#[mcp_tool]
impl Shop {
    /// Searches the shop.
    async fn search(&self, text: String) -> String {
        text
    }
}

fn main() {}
