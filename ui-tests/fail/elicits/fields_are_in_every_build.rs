use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    Pick {
        flight: String,
        #[cfg(unix)]
        seat: String,
    },
}

fn main() {}
