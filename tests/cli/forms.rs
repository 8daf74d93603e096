//! Tools that ask, for the server behind `tests/cli`.

use std::fmt::Debug;

use mcp_runtime::{Elicited, Result, elicit::MultiSelect, prelude::*};

/// What the tools ask.
#[elicits]
#[derive(Debug)]
pub(crate) enum Trip {
    /// Pick one of the flights.
    PickFlight {
        /// The flight's number.
        #[elicit(title = "Flight", min_length = 3)]
        flight_id: String,
        #[elicit(min = 1, max = 9, default = 2)]
        seats: u8,
        #[elicit(format = "date")]
        day: String,
        #[elicit(default = "none")]
        seat: Seat,
        #[elicit(min_items = 1, max_items = 2)]
        extras: MultiSelect<Seat>,
        #[elicit(default = false)]
        newsletter: bool,
        note: Option<String>,
    },
    Confirm {
        /// It cannot be undone.
        sure: bool,
    },
    Name {
        #[elicit(min_length = 2)]
        name: String,
    },
}

/// What `place` asks.
#[elicits]
#[derive(Debug)]
pub(crate) enum Places {
    Take { place: String },
}

/// Where to sit.
#[derive(Choice, Debug)]
pub(crate) enum Seat {
    #[choice(title = "Window")]
    Window,
    Aisle,
    #[choice(title = "No preference")]
    None,
}

/// Book a flight, asking for all there is to know.
#[mcp_tool]
pub(crate) async fn book(ctx: &Ctx<Trip>) -> Result<String> {
    Ok(told(ctx.elicit::<PickFlight>("Found 2 flights:\nTP1 9:30, TP2 14:00").await?))
}

/// Delete everything, if that is what you want.
#[mcp_tool]
pub(crate) async fn wipe(ctx: &Ctx<Trip>) -> Result<String> {
    ctx.progress(0.5).total(1.0).message("thinking");
    let answer = ctx.elicit::<Confirm>("Delete everything?").await?;
    ctx.log(Level::Notice, "answered");
    Ok(told(answer))
}

/// Ask for two names at once, and then whether they are right.
#[mcp_tool]
pub(crate) async fn pair(ctx: &Ctx<Trip>) -> Result<String> {
    let (first, second) = (ctx.elicit::<Name>("Who are you?"), ctx.elicit::<Name>("Who comes with you?"));
    let (first, second) = tokio::try_join!(first.strict(), second.strict())?;
    let right = ctx.elicit::<Confirm>("Is that right?").strict().await?;
    Ok(format!("{} and {}: {}", first.name, second.name, right.sure))
}

/// Take one of the places that are free.
#[mcp_tool]
pub(crate) async fn place(ctx: &Ctx<Places>) -> Result<String> {
    let free = [("a1", "Front, left"), ("b1", "Front, right")];
    let taken = ctx.elicit::<Take>("Which place?").choices(Take::PLACE, free).strict().await?;
    let sure = ctx.elicit::<Take>(format!("And beside {}?", taken.place)).await?;
    Ok(format!("{} and {}", taken.place, told(sure)))
}

/// Connect a calendar.
#[mcp_tool(requires(elicitation_url))]
pub(crate) async fn connect(ctx: &Ctx) -> Result<&'static str> {
    ctx.elicit_url("connect", "https://example.com/connect?id=1", "Connect your calendar.").await?;
    Ok("connected")
}

/// Returns the answer as the tool read it.
fn told<F: Debug>(answer: Elicited<F>) -> String {
    match answer {
        Elicited::Accept(form) => format!("{form:?}"),
        Elicited::Decline => "declined".to_owned(),
        Elicited::Cancel => "cancelled".to_owned(),
    }
}
