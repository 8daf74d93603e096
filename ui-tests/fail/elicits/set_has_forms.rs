use mcp_runtime::prelude::*;

#[elicits]
enum Booking {}

fn main() {}
