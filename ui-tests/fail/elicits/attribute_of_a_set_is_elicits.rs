use mcp_runtime::prelude::*;

#[elicits]
#[elicit(title = "Booking")]
enum Booking {
    Confirm { confirmed: bool },
}

fn main() {}
