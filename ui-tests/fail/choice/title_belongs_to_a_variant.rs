use mcp_runtime::prelude::*;

#[derive(Choice)]
#[choice(title = "Seat")]
enum Seat {
    Window,
    Aisle,
}

#[derive(Form)]
struct Booking {
    seat: Seat,
}

fn main() {}
