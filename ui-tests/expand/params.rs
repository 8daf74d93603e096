/// Searches the notes.
#[mcp_tool]
async fn search(#[params] query: Query) {}
