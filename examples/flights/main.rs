//! A server that searches a small timetable of invented flights, and books them with the user.
//!
//! It shows shared state (`&FlightDb`), parameters of an author's own types ([`Date`], [`Sort`]), limits and defaults
//! that are published and enforced, errors that tell the model what to write instead, and forms (`booking.rs`):
//! which flight to book is a question to the user, not to the model.
//!
//! Try it at the terminal:
//!
//! ```sh
//! cargo run --example flights -- call search_flights --destination OSL --max_price 120
//! cargo run --example flights -- call search_flights --destination OSLO
//! cargo run --example flights -- call book --destination OSL
//! ```
//!
//! To connect a desktop client, build it with `cargo build --example flights` and add this to the client's
//! configuration (`claude_desktop_config.json`, `.cursor/mcp.json`, …):
//!
//! ```json
//! { "mcpServers": { "flights": { "command": "/path/to/target/debug/examples/flights" } } }
//! ```
//!
//! `transcript.jsonl` beside this file is what client and server say to each other.

mod booking;
mod date;
mod db;
mod error;

use std::process::ExitCode;

use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use self::{
    booking::book,
    date::Date,
    db::{Airport, Flight, FlightDb, Sort, Wanted},
    error::FlightError,
};

/// Flights that fit a search.
#[derive(Debug, Serialize, JsonSchema)]
struct Flights {
    /// The first of them, in the order asked for.
    flights: Vec<Flight>,
    /// How many fit altogether.
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

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    Server::new("flights", env!("CARGO_PKG_VERSION"))
        .title("Flights")
        .instructions("A timetable of invented flights from 2026-12-04 to 2026-12-06. Airports are named by IATA code.")
        .state(FlightDb::open())
        .tools(tools![search_flights, get_flight, list_airports, book])
        .run()
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tool is still a function: a test calls it.
    #[tokio::test]
    async fn the_limit_cuts_the_list_but_not_the_total() {
        let db = FlightDb::open();
        let Json(found) = search_flights(&db, "OSL".into(), None, None, None, Sort::Price, 2).await.unwrap();
        assert_eq!((found.flights.len(), found.total), (2, 9));
    }
}
