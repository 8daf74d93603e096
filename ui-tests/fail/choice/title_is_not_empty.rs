use mcp_runtime::prelude::*;

#[derive(Choice)]
enum Seat {
    Window,
    #[choice(title = "")]
    Aisle,
}

#[derive(Form)]
struct Booking {
    seat: Seat,
}

fn main() {}
