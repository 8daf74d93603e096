use mcp_runtime::prelude::*;

/// Books a flight.
#[mcp_tool(scopes = "flights:write")]
async fn book() {}

/// Cancels a flight.
#[mcp_tool(scopes())]
async fn cancel() {}

fn main() {}
