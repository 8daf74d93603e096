//! The seats of a flight: a map that clients show as a page, and a question that the same page answers.

use mcp_runtime::{Result, prelude::*};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    db::{Flight, FlightDb},
    error::FlightError,
};

/// The rows of every cabin.
const ROWS: u8 = 12;

/// The page: a map of the cabin. It gets a [`Cabin`], or the question for a seat.
#[mcp_view("ui://flights/seats", html = "seats.html", title = "Seat map")]
pub struct SeatMap;

/// The seats of a flight.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Cabin {
    /// The id of the flight.
    flight: String,
    /// The free seats, from the front to the back. A and D are at the windows, B and C at the aisle.
    free: Vec<String>,
    /// The seat that the user has chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<String>,
}

/// The form of `choose_seat`.
#[elicits]
#[derive(Debug)]
pub enum Seating {
    /// Which seat.
    #[elicit(view = SeatMap)]
    PickSeat {
        /// The seat. A and D are at the windows, B and C at the aisle.
        #[elicit(title = "Seat")]
        seat: String,
    },
}

/// Show the user which seats of a flight are free.
#[mcp_tool(title = "Seat map", read_only, open_world = false, view = SeatMap)]
pub async fn seat_map(
    db: &FlightDb,
    /// The id of the flight, as `search_flights` gives it.
    #[schemars(length(max = 50))]
    flight: String,
) -> Result<Json<Cabin>> {
    let flight = db.flight(&flight)?;
    Ok(Json(Cabin { free: free_seats(&flight), flight: flight.id, chosen: None }))
}

/// Let the user choose a seat of a flight. Nothing is booked.
#[mcp_tool(title = "Choose a seat", read_only, open_world = false, replayable, view = SeatMap)]
pub async fn choose_seat(
    ctx: &Ctx<Seating>,
    db: &FlightDb,
    /// The id of the flight, as `search_flights` gives it.
    #[schemars(length(max = 50))]
    flight: String,
) -> Result<Json<Cabin>> {
    let flight = db.flight(&flight)?;
    let free = free_seats(&flight);
    if free.is_empty() {
        return Err(FlightError::SoldOut { id: flight.id }.into());
    }
    let ask = ctx.elicit::<PickSeat>(format!("Which seat on {}?", flight.id));
    let offered = free.iter().map(|seat| (seat.clone(), described(seat)));
    let chosen = match ask.choices(PickSeat::SEAT, offered).await? {
        Elicited::Accept(PickSeat { seat }) => Some(seat),
        Elicited::Decline | Elicited::Cancel => None,
    };
    Ok(Json(Cabin { flight: flight.id, free, chosen }))
}

/// Returns the free seats. Each sold ticket takes one of them, always in the same order.
fn free_seats(flight: &Flight) -> Vec<String> {
    let mut seats: Vec<_> =
        (1..=ROWS).flat_map(|row| ["A", "B", "C", "D"].map(|letter| format!("{row}{letter}"))).collect();
    let row = |seat: &String| seat[..seat.len() - 1].parse::<u8>().unwrap_or_default();
    seats.sort_by_key(|seat| mixed(&flight.id, seat));
    seats.truncate(usize::try_from(flight.seats).unwrap_or(usize::MAX));
    seats.sort_by(|a, b| row(a).cmp(&row(b)).then_with(|| a.cmp(b)));
    seats
}

/// Returns a number that is the same for the same flight and seat (FNV-1a).
fn mixed(flight: &str, seat: &str) -> u32 {
    let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(16_777_619);
    flight.bytes().chain(seat.bytes()).fold(2_166_136_261, mix)
}

fn described(seat: &str) -> String {
    let place = if seat.ends_with(['A', 'D']) { "window" } else { "aisle" };
    format!("{seat}, {place}")
}

#[cfg(test)]
mod tests {
    use mcp_runtime::{in_every_mode, testing::Client};
    use serde_json::json;

    use super::*;

    fn server(db: &FlightDb) -> Server {
        Server::new("flights", "1").state(db.clone()).tools(tools![seat_map, choose_seat])
    }

    #[test]
    fn a_cabin_has_as_many_free_seats_as_its_flight() {
        let mut flight = FlightDb::open().flight("AL143-04").unwrap();
        let free = free_seats(&flight);
        assert_eq!(free.len(), 4);
        flight.seats -= 1;
        let left = free_seats(&flight);
        assert_eq!(left.len(), 3);
        assert!(left.iter().all(|seat| free.contains(seat)), "{left:?} {free:?}");
        flight.seats = 48;
        assert_eq!(free_seats(&flight)[..5], ["1A", "1B", "1C", "1D", "2A"]);
    }

    #[tokio::test]
    async fn the_user_chooses_a_free_seat_in_every_mode() {
        let db = FlightDb::open();
        let free = free_seats(&db.flight("AL143-04").unwrap());
        in_every_mode!(|mode| {
            let mut client = mode.client(|| server(&db));
            let pick = PickSeat { seat: free[0].clone() };
            let chosen = client.call("choose_seat", json!({ "flight": "AL143-04" })).accept(pick).await;
            assert_eq!(chosen.structured_content().unwrap()["chosen"], free[0]);
            let declined = client.call("choose_seat", json!({ "flight": "AL143-04" })).decline().await;
            assert_eq!(declined.structured_content().unwrap()["chosen"], json!(null));
        });
    }

    #[tokio::test]
    async fn a_full_flight_has_no_seat_to_choose() {
        let mut client = Client::modern(&server(&FlightDb::open()).build().unwrap());
        let full = client.call("choose_seat", json!({ "flight": "FJ101-04" })).await;
        assert!(full.is_error() && full.text().contains("is sold out"), "{}", full.text());
    }
}
