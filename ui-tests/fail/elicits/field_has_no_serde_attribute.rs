use mcp_runtime::prelude::*;

#[elicits]
#[derive(Clone, Debug)]
enum Booking {
    Pick {
        #[serde(rename = "number")]
        flight: String,
    },
}

fn main() {}
