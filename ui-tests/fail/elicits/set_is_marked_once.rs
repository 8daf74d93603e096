use mcp_runtime::prelude::*;

#[elicits]
#[elicits]
enum Booking {
    Confirm { confirmed: bool },
}

fn main() {}
