use mcp_runtime::prelude::*;

#[elicits(crate = "mcp_runtime")]
enum Booking {
    Confirm { confirmed: bool },
}

fn main() {}
