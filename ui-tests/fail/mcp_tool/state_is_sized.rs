use mcp_runtime::prelude::*;

trait Store: Send + Sync {}

/// Counts the rows.
#[mcp_tool]
async fn count(store: &(dyn Store + 'static)) {
    let _ = store;
}

fn main() {}
