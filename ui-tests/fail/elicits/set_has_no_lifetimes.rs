use mcp_runtime::prelude::*;

#[elicits]
enum Booking<'a> {
    Pick { flight: &'a str },
}

fn main() {}
