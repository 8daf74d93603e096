//! A server that searches a small timetable of invented flights, and books them with the user.
//!
//! It shows shared state (`&FlightDb`), parameters of an author's own types (`Date`, `Sort`), limits and defaults
//! that are published and enforced, errors that tell the model what to write instead, and a conversation
//! (`booking.rs`). In the conversation, the tool asks the user, and not the model, which flight to book. The phases
//! before and after it run once. The seats of a flight (`seats.rs`) are a page, `seats.html`: clients that show views
//! show it with the result, and in place of the form that asks for a seat.
//!
//! Several instances behind a load balancer (`examples/deploy`) share three things: the tickets in the file
//! `FLIGHTS_TICKETS`, the records of calls in the store `MCP_LEDGER` ([`store::open`]), and the keys in
//! `MCP_STATE_KEY`. So any instance can resume a booking that another began:
//!
//! ```sh
//! export FLIGHTS_TICKETS=tickets MCP_LEDGER=redis://127.0.0.1 MCP_STATE_KEY="$(openssl rand -base64 32)"
//! cargo run -p flights -- http --addr 127.0.0.1:8081
//! ```
//!
//! `FLIGHTS_CALLS_PER_MINUTE` limits the calls that each caller makes of each tool, with a layer ([`RateLimit`]).
//!
//! `transcript.jsonl` contains the messages of a client and the server.

mod booking;
mod date;
mod db;
mod error;
mod seats;
mod tickets;

use std::{env, error::Error, num::NonZeroU32, path::Path, time::Duration};

use deploy::RateLimit;
use mcp_runtime::{prelude::*, store};
use schemars::JsonSchema;
use serde::Serialize;

pub use self::{
    booking::{BookFlight, Booking, BookingHandler, Confirm, PickFlight, Seat},
    db::FlightDb,
    seats::{PickSeat, SeatMap, Seating, SeatingHandler, choose_seat, seat_map},
};
use self::{
    date::Date,
    db::{Airport, Flight, Sort, Wanted},
    error::FlightError,
};

/// Flights that fit a search.
#[derive(Debug, Serialize, JsonSchema)]
struct Flights {
    /// The first matching flights, in the requested order.
    flights: Vec<Flight>,
    /// The total number of matching flights.
    total: usize,
}

/// Find flights to an airport. Nothing is booked. To learn which airports there are, call `list_airports`.
#[mcp_tool(title = "Search flights", read_only, open_world = false)]
async fn search_flights(
    db: &FlightDb,
    /// IATA code of the airport to fly to, such as `OSL`.
    #[schemars(length(max = 50))]
    destination: String,
    /// IATA code of the airport to leave from. Leave it out to search from everywhere.
    #[schemars(length(max = 50))]
    origin: Option<String>,
    /// The day to fly, such as `2026-12-05`. Leave it out to search all days.
    date: Option<Date>,
    /// The most one seat may cost, in euros.
    #[schemars(range(min = 1))]
    max_price: Option<u32>,
    /// What comes first: the cheapest, the earliest, the shortest, or the one with the most free seats.
    #[serde(default)]
    sort: Sort,
    /// How many flights to show.
    #[schemars(range(min = 1, max = 50))]
    #[serde(default = "ten")]
    limit: usize,
) -> Result<Json<Flights>, FlightError> {
    let found = db.search(&Wanted { destination, origin, date, max_price }, sort)?;
    Ok(Json(Flights { total: found.len(), flights: found.into_iter().take(limit).collect() }))
}

fn ten() -> usize {
    10
}

/// Get one flight, with its price and free seats.
#[mcp_tool(title = "Flight", read_only, open_world = false)]
async fn get_flight(
    db: &FlightDb,
    /// The id of the flight, as `search_flights` gives it.
    #[schemars(length(max = 50))]
    id: String,
) -> Result<Json<Flight>, FlightError> {
    db.flight(&id).map(Json)
}

/// All airports, sorted by code.
#[derive(Debug, Serialize, JsonSchema)]
struct Airports {
    airports: Vec<Airport>,
}

/// List all airports with their IATA codes, cities and countries.
#[mcp_tool(title = "Airports", read_only, open_world = false)]
async fn list_airports(db: &FlightDb) -> Json<Airports> {
    Json(Airports { airports: db.airports().to_vec() })
}

/// Creates the server. The environment variables set the state that it shares with other instances.
///
/// # Errors
/// Fails if a variable is wrong, or if the tickets or the ledger cannot be opened.
pub async fn server() -> Result<Server, Box<dyn Error>> {
    let db = match env::var_os("FLIGHTS_TICKETS") {
        Some(path) => FlightDb::shared(Path::new(&path))?,
        None => FlightDb::open(),
    };
    let server = Server::new("flights", env!("CARGO_PKG_VERSION"))
        .title("Flights")
        .instructions("A timetable of invented flights from 2026-12-04 to 2026-12-06. Airports are named by IATA code.")
        // If this process dies, another instance can resume its calls after this time.
        .lease(Duration::from_secs(5))
        .state(db)
        .tools(tools![search_flights, get_flight, list_airports, seats::seat_map, seats::choose_seat])
        .tool(BookFlight);
    let server = match env::var("FLIGHTS_CALLS_PER_MINUTE") {
        Ok(calls) => server.layer(RateLimit::per_minute(calls_per_minute(&calls)?)),
        Err(_) => server,
    };
    Ok(match env::var("MCP_LEDGER") {
        Ok(address) => server.store(store::open(&address).await?),
        Err(_) => server,
    })
}

fn calls_per_minute(calls: &str) -> Result<NonZeroU32, String> {
    calls.parse().map_err(|_| {
        format!("`FLIGHTS_CALLS_PER_MINUTE` is `{calls}`: write a whole number from 1, or unset it for no limit")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tool is still a function, so a test can call it.
    #[tokio::test]
    async fn the_limit_cuts_the_list_but_not_the_total() {
        let db = FlightDb::open();
        let Json(found) = search_flights(&db, "OSL".into(), None, None, None, Sort::Price, 2).await.unwrap();
        assert_eq!((found.flights.len(), found.total), (2, 9));
    }
}
