use mcp_runtime::prelude::*;

#[derive(Choice)]
enum Seat {
    Window,
    #[choice(titel = "At the aisle")]
    Aisle,
}

#[derive(Form)]
struct Booking {
    seat: Seat,
}

fn main() {}
