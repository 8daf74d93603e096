use mcp_runtime::prelude::*;

#[derive(Form)]
struct Person {
    name: String,
}

#[elicits]
enum Booking {
    Passenger(Person),
    Contact(Person),
}

fn main() {}
