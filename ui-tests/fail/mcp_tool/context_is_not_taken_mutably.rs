use mcp_runtime::prelude::*;

type Context = Ctx;

#[elicits]
enum Booking {
    Confirm { confirmed: bool },
}

/// Says hello.
#[mcp_tool]
async fn hello(_ctx: &mut Ctx) {}

/// Books a flight.
#[mcp_tool]
async fn book(_ctx: &mut Ctx<Booking>) {}

/// Says goodbye.
#[mcp_tool]
async fn goodbye(_ctx: &mut Context) {}

fn main() {
    drop(tools![hello, book, goodbye]);
}
