use mcp_runtime::prelude::*;

/// Counts.
#[mcp_tool]
async fn count() -> Result<Vec<u8>, ToolError> {
    Ok(vec![3])
}

fn main() {}
