//! The README's tool that asks.

use mcp_runtime::{Elicited, Result, prelude::*};

#[elicits]
enum Booking {
    PickFlight { flight: String, #[elicit(default = "any")] seat: Seat },
    Confirm { confirmed: bool },
}

#[derive(Choice, Debug)]
enum Seat { Window, Aisle, #[choice(title = "No preference")] Any }

type Flights = Vec<(String, String)>;

/// Book a flight together with the user.
#[handoff]
impl BookFlight {
    async fn before(&self, db: &FlightDb, to: String) -> Flights {
        db.flights_to(&to)
    }

    async fn client(ctx: &Ctx<Booking>, flights: &Flights) -> Result<Option<PickFlight>> {
        let ask = ctx.elicit::<PickFlight>("Which flight?").choices(PickFlight::FLIGHT, flights.clone());
        let Elicited::Accept(picked) = ask.await? else { return Ok(None) };
        let sure = ctx.elicit::<Confirm>(format!("Book {}?", picked.flight)).strict().await?;
        Ok(sure.confirmed.then_some(picked))
    }

    async fn after(&self, db: &FlightDb, _flights: Flights, picked: Option<PickFlight>) -> Result<String> {
        picked.map_or(Ok("Nothing is booked.".into()), |picked| db.book(picked))
    }
}

struct BookFlight;

struct FlightDb;

impl FlightDb {
    fn flights_to(&self, to: &str) -> Flights {
        [("FJ 174", "7:20"), ("FJ 178", "9:55")].map(|(id, time)| (id.into(), format!("{time} to {to}"))).into()
    }

    fn book(&self, PickFlight { flight, seat }: PickFlight) -> Result<String> {
        Ok(format!("Booked {flight}, {seat:?}."))
    }
}

fn main() {
    Server::new("flights", "1.0.0").state(FlightDb).tool(BookFlight).build().unwrap();
}
