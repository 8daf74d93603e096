use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    PickFlight { flight: String },
    Confirm { confirmed: bool },
}

/// Books.
#[mcp_tool]
async fn book(ctx: &Ctx<Booking>) -> ToolResult<()> {
    let _ = ctx.elicit::<Booking>("Which flight?").await?;
    Ok(())
}

fn main() {}
