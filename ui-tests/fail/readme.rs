use mcp_runtime::prelude::*;

/// Book a flight.
#[mcp_tool(destructive, idempotnet)]
async fn book(flight: &str, passenger: Passenger) -> u32 {
    todo!()
}

struct Passenger;

fn main() {}
