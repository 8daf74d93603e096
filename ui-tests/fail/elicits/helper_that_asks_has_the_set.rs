use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    /// Pick a flight.
    PickFlight { number: u32 },
}

async fn pick(ctx: &Ctx<Booking>) -> bool {
    ctx.elicit::<PickFlight>("Which flight?").await.is_ok()
}

/// Books a flight.
#[mcp_tool]
async fn book(ctx: &Ctx) -> Text<bool> {
    Text(pick(ctx).await)
}

fn main() {}
