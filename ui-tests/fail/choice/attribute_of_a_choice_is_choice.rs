use mcp_runtime::prelude::*;

#[derive(Choice)]
enum Seat {
    Window,
    #[elicit(title = "At the aisle")]
    Aisle,
}

#[derive(Form)]
struct Booking {
    seat: Seat,
}

fn main() {}
