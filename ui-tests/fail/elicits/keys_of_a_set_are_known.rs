use mcp_runtime::prelude::*;

#[elicits(key = "booking")]
enum Booking {
    Confirm { confirmed: bool },
}

fn main() {}
