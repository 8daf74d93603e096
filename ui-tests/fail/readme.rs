use mcp_runtime::prelude::*;

struct Passenger;

/// Book a flight.
#[mcp_tool(destructive, idempotnet)]
async fn book(flight: String, passenger: Passenger) { drop((flight, passenger)) }

fn main() {}
