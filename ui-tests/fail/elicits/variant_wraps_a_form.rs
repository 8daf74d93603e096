use mcp_runtime::prelude::*;

struct Details {
    name: String,
}

#[elicits]
enum Booking {
    Confirm { confirmed: bool },
    Details(Details),
}

/// Books a seat.
#[mcp_tool]
async fn book(ctx: &Ctx<Booking>) -> mcp_runtime::Result<String> {
    Ok(ctx.elicit::<Details>("Who?").strict().await?.name)
}

fn main() {}
