use mcp_runtime::prelude::*;

#[derive(Choice)]
enum Seat<const ROWS: usize> {
    Window,
    Aisle,
}

#[derive(Form)]
struct Booking {
    seat: Seat<3>,
}

fn main() {}
