use mcp_runtime::prelude::*;

/// Counts the notes.
#[mcp_tool]
async fn count() -> Result<Vec<u8>, ToolError> {
    Ok(vec![3])
}

fn main() {}
