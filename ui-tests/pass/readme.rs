//! The README's tool that asks.

use mcp_runtime::{Elicited, Result, prelude::*};

#[elicits]
enum Booking {
    PickFlight {
        #[elicit(title = "Flight")]
        flight: String,
        #[elicit(default = "any")]
        seat: Seat,
    },
    Confirm { confirmed: bool },
}

#[derive(Choice, Debug)]
enum Seat {
    Window,
    Aisle,
    #[choice(title = "No preference")]
    Any,
}

/// Book a flight together with the user.
#[mcp_tool]
async fn book(db: &FlightDb, ctx: &Ctx<Booking>, to: String) -> Result<String> {
    let ask = ctx.elicit::<PickFlight>("Which flight?").choices(PickFlight::FLIGHT, db.flights_to(&to));
    let Elicited::Accept(picked) = ask.await? else { return Ok("The user wants none of them.".into()) };
    let Confirm { confirmed } = ctx.elicit::<Confirm>(format!("Book {}?", picked.flight)).strict().await?;
    if confirmed { db.book(picked) } else { Ok("The user changed their mind.".into()) }
}

struct FlightDb;

impl FlightDb {
    fn flights_to(&self, to: &str) -> [(&'static str, String); 2] {
        [("FJ 174", format!("7:20 to {to}, 79 €")), ("FJ 178", format!("9:55 to {to}, 139 €"))]
    }

    fn book(&self, PickFlight { flight, seat }: PickFlight) -> Result<String> {
        Ok(format!("Booked {flight}, {seat:?}."))
    }
}

fn main() {
    Server::new("flights", "1.0.0").state(FlightDb).tools(tools![book]).build().unwrap();
}
