use mcp_runtime::prelude::*;

#[elicits]
#[derive(Clone, serde::Serialize)]
enum Booking {
    Pick {
        #[serde(rename = "number")]
        #[schemars(length(min = 3))]
        flight: String,
    },
}

fn main() {}
