//! The README's tools that ask: a user, a model.

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

#[derive(SampleTools, Debug)]
enum Strategy {
    /// Attack.
    PlayOffensive { reasoning: String },
    /// Block what the other is about to do.
    PlayDefensive { threat: String },
}

async fn turn(ctx: &Ctx, board: &str) -> Result<Move> {
    let plan = ctx.sample_tools::<Strategy>(format!("Choose a strategy:\n{board}")).await?.into_first();
    Ok(ctx.sample_schema::<Move>(format!("Your move, by {plan:?}:\n{board}")).await?.parsed)
}

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct Move {
    cell: u8,
}

/// Plays a turn.
#[mcp_tool(requires(sampling))]
async fn play(ctx: &Ctx, board: String) -> Result<Json<Move>> {
    turn(ctx, &board).await.map(Json)
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
    Server::new("flights", "1.0.0").state(FlightDb).tool(BookFlight).tools(tools![play]).build().unwrap();
}
