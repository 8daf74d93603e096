use mcp_runtime::prelude::*;

struct Counter;

impl Counter {
    /// Counts.
    #[mcp_tool]
    async fn count(&self) {}
}

fn main() {}
