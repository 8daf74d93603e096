use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    Pick {
        flight: String,
        #[elicit(rename = "flight")]
        flight_back: String,
    },
}

fn main() {}
