use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    Confirm { confirmed: bool },
    Cancel {},
}

fn main() {}
