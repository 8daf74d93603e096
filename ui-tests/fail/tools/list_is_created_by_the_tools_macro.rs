use mcp_runtime::prelude::*;

/// Searches the notes.
#[mcp_tool]
async fn search() {}

fn main() {
    let _ = Server::new("shop", "1.0.0").tools([search]);
}
