use mcp_runtime::prelude::*;

/// Books a flight.
#[mcp_tool(scopes("flights:write", "flights:read", "flights:write"))]
async fn book() {}

fn main() {}
