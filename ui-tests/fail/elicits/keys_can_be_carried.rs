use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    #[elicit(key = "pick a flight")]
    Pick { flight: String },
}

fn main() {}
