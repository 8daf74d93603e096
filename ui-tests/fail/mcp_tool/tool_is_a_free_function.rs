use mcp_runtime::prelude::*;

struct Counter;

impl Counter {
    /// Counts the notes.
    #[mcp_tool]
    async fn count(&self) {}
}

fn main() {}
