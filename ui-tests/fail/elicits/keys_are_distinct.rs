use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    Pick { flight: String },
    #[elicit(key = "pick")]
    PickSeat { seat: String },
}

fn main() {}
