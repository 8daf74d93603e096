use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    Confirm { confirmed: bool },
}

#[elicits]
enum Deletion {
    Confirm { confirmed: bool },
}

fn main() {}
