use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    Confirm { confirmed: bool },
    Pick(String, u8),
}

fn main() {}
