use mcp_runtime::prelude::*;

#[derive(Form)]
struct Person {
    name: String,
}

#[elicits]
enum Booking {
    Passenger(#[elicit(title = "Passenger")] Person),
}

fn main() {}
