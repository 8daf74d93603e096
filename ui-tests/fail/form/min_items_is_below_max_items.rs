use mcp_runtime::{elicit::MultiSelect, prelude::*};

#[derive(Choice)]
enum Seat {
    Window,
    Aisle,
    None,
}

#[derive(Form)]
struct Signup {
    #[elicit(min_items = 2, max_items = 1)]
    seats: MultiSelect<Seat>,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

fn main() {}
