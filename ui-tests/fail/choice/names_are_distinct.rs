use mcp_runtime::prelude::*;

#[derive(Choice)]
enum Seat {
    Window,
    #[choice(rename = "window")]
    OverTheWing,
}

#[derive(Form)]
struct Booking {
    seat: Seat,
}

fn main() {}
