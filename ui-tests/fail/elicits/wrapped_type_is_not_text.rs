use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    Name(String),
}

fn main() {}
