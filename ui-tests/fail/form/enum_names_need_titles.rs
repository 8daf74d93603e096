use mcp_runtime::prelude::*;

#[derive(Choice)]
enum Seat {
    Window,
    Aisle,
    None,
}

#[derive(Form)]
struct Signup {
    #[elicit(enum_names)]
    seat: Seat,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
