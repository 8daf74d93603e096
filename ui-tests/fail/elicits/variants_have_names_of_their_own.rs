use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    Booking { flight: String },
}

fn book(ctx: &Ctx<Booking>) {
    let _ = ctx;
}

fn main() {}
