use mcp_runtime::prelude::*;

/// Books a flight.
#[mcp_tool(scopes("", "flights:read flights:write", "flights\"", "flüge", flights))]
async fn book() {}

fn main() {}
