use mcp_runtime::prelude::*;

/// Book a flight.
#[mcp_tool(destructive, idempotnet)]
async fn book(flight: String) { drop(flight) }

fn main() {}
