use mcp_runtime::prelude::*;

#[elicits]
pub enum Booking {
    Pick { pub flight: String },
}

fn main() {}
