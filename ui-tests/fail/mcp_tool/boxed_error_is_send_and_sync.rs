use std::error::Error;

use mcp_runtime::prelude::*;

/// Reads a file.
#[mcp_tool(read_only)]
async fn read(path: String) -> Result<String, Box<dyn Error>> {
    Ok(std::fs::read_to_string(path)?)
}

fn main() {}
