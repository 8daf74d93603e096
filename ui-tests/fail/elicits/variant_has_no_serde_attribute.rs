use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    #[serde(rename = "pick")]
    Pick { flight: String },
}

fn main() {}
