use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    Pick { flights: [String] },
}

fn main() {}
