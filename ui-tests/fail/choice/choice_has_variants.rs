use mcp_runtime::prelude::*;

#[derive(Choice)]
enum Seat {}

#[derive(Form)]
struct Booking {
    seat: Seat,
}

fn main() {}
