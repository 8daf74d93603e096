use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    Confirm { confirmed: bool },
    #[cfg(unix)]
    Pick { flight: String },
}

fn main() {}
