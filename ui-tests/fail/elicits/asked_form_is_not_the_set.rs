use mcp_runtime::{Result, prelude::*};

#[elicits]
enum Booking {
    PickFlight { flight: String },
    Confirm { confirmed: bool },
}

/// Books a seat.
#[mcp_tool]
async fn book(ctx: &Ctx<Booking>) -> Result<()> {
    let _ = ctx.elicit::<Booking>("Which flight?").await?;
    Ok(())
}

fn main() {}
