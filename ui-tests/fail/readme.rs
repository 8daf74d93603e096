use mcp_runtime::prelude::*;

struct Passenger;

/// Book a flight.
#[mcp_tool(destructive)]
async fn book(flight: String, passenger: Passenger) {
    let _ = (flight, passenger);
}

/// Cancel a booking.
#[mcp_tool(destructive, idempotnet)]
async fn cancel(booking: &str) {
    let _ = booking;
}

fn main() {}
