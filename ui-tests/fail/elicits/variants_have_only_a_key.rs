use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    #[elicit(title = "Pick a flight")]
    Pick { flight: String },
}

fn main() {}
