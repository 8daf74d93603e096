//! A crate with strict lints: none fires for what the rules of phases ask of a method.
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    non_snake_case,
    unnameable_types,
    unreachable_pub,
    unused_qualifications,
    unused_results,
    clippy::all,
    clippy::pedantic
)]

use mcp_runtime::prelude::*;

/// What books.
#[derive(Debug)]
pub struct BookFlight;

/// What is asked.
#[elicits]
#[derive(Debug)]
pub enum Booking {
    /// Which flight.
    Pick {
        /// Its number.
        flight: String,
    },
}

/// Books a flight for the user.
#[handoff]
impl BookFlight {
    /// Looks the flights up.
    pub async fn before(&self, destination: String, names: &Vec<String>) -> Result<Vec<String>, ToolError> {
        Ok(names.iter().filter(|name| **name == destination).cloned().collect())
    }

    /// Asks which.
    pub async fn client(ctx: &Ctx<Booking>, _flights: &Vec<String>) -> Result<Pick, ToolError> {
        Ok(ctx.elicit::<Pick>("Which?").strict().await?)
    }

    /// Books it.
    pub async fn after(&self, flights: Vec<String>, picked: Pick) -> String {
        format!("{} of {}", picked.flight, flights.len())
    }
}

/// Registers it.
pub fn main() {
    drop(Server::new("test", "1").tool(BookFlight));
}
