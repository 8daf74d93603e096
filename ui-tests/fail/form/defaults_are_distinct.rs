use mcp_runtime::{elicit::MultiSelect, prelude::*};

#[derive(Choice)]
enum Seat {
    Window,
    Aisle,
    None,
}

#[derive(Form)]
struct Signup {
    #[elicit(default = ["window", "window"])]
    seats: MultiSelect<Seat>,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
