use mcp_runtime::prelude::*;

struct Place {
    city: String,
}

#[elicits]
enum Booking {
    From { place: Place },
    To { place: Place, stops: Vec<Place> },
    Confirm,
    Pay {
        card_number: String,
        #[elicit(min = 1)]
        name: String,
    },
}

/// Books a seat.
#[mcp_tool]
async fn book(ctx: &Ctx<Booking>) -> mcp_runtime::Result<()> {
    let from = ctx.elicit::<From>("From where?").strict().await?;
    let to = ctx.elicit::<To>("Where to?").strict().await?;
    drop((from.place.city, to.stops.len()));
    Ok(())
}

fn main() {}
