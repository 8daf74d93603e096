use mcp_runtime::prelude::*;

#[derive(Choice)]
enum Seat {
    Window,
    Aisle,
    None,
}

#[derive(Form)]
struct Signup {
    #[elicit(max = 2)]
    seat: Seat,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
