use mcp_runtime::prelude::*;

#[derive(Choice)]
enum Seat {
    #[choice(default)]
    Window,
    Aisle,
}

#[derive(Form)]
struct Booking {
    seat: Seat,
}

fn main() {}
