use mcp_runtime::prelude::*;

#[derive(Choice)]
struct Seat {
    row: u8,
}

#[derive(Form)]
struct Booking {
    seat: Seat,
}

fn main() {}
