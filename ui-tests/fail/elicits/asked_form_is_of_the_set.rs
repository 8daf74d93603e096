use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    PickFlight { flight: String },
    Confirm { confirmed: bool },
}

#[elicits]
enum Files {
    Rename { name: String },
}

/// Books a seat.
#[mcp_tool]
async fn book(ctx: &Ctx<Booking>) -> mcp_runtime::Result<String> {
    let rename = ctx.elicit::<Rename>("Which name?").strict().await?;
    Ok(rename.name)
}

fn main() {}
