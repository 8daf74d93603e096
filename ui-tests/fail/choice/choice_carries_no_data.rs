use mcp_runtime::prelude::*;

#[derive(Choice)]
enum Seat {
    Window,
    Row(u8),
    Other { name: String },
}

#[derive(Form)]
struct Booking {
    seat: Seat,
}

fn main() {}
