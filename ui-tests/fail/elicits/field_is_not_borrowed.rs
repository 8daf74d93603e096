use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    Pick { flight: &str },
}

fn main() {}
