use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    Pick { flight: String },
    Pick { seat: String },
}

fn main() {}
