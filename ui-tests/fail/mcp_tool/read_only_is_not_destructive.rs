use mcp_runtime::prelude::*;

/// Deletes a file.
#[mcp_tool(read_only, destructive)]
async fn delete(path: String) {
    drop(path);
}

fn main() {}
