//! Booking: the tool that asks the person at the other end.

use mcp_runtime::{Elicited, Result, prelude::*};

use super::{
    date::Date,
    db::{Flight, FlightDb, Sort, Wanted},
    error::FlightError,
};

/// What booking asks.
#[elicits]
#[derive(Debug)]
pub(crate) enum Booking {
    /// Which flight, and where to sit.
    PickFlight {
        /// The flight to book; the cheapest is the first.
        #[elicit(title = "Flight")]
        flight_id: String,
        /// Where to sit.
        #[elicit(title = "Seat", default = "none")]
        seat: Seat,
    },
    /// The last word.
    Confirm {
        /// Without it nothing is booked.
        #[elicit(title = "Book it")]
        confirmed: bool,
    },
}

/// Where to sit.
#[derive(Choice, Clone, Copy, Debug)]
pub(crate) enum Seat {
    Window,
    Aisle,
    #[choice(title = "No preference")]
    None,
}

/// The tool: what is asked lies between two steps that happen once, however often the client calls and retries.
pub(crate) struct BookFlight;

/// What the user decided.
#[derive(Debug)]
pub(crate) enum Decision {
    Book(PickFlight),
    /// And what to tell the model.
    Nothing(String),
}

/// Book a flight together with the user, who picks one of those that fit and confirms it. Nothing is booked otherwise.
#[handoff(title = "Book a flight", destructive = false, open_world = false)]
impl BookFlight {
    /// Gives the flights that are offered.
    async fn before(
        &self,
        db: &FlightDb,
        /// IATA code of the airport to fly to, such as `OSL`.
        #[schemars(length(max = 50))]
        destination: String,
        /// IATA code of the airport to leave from. Leave it out to offer flights from everywhere.
        #[schemars(length(max = 50))]
        origin: Option<String>,
        /// The day to fly, such as `2026-12-05`. Leave it out to offer all days.
        date: Option<Date>,
    ) -> Result<Vec<Flight>, FlightError> {
        let mut flights = db.search(&Wanted { destination, origin, date, max_price: None }, Sort::Price)?;
        flights.retain(|flight| flight.seats > 0);
        flights.truncate(OFFERED);
        if flights.is_empty() { Err(FlightError::NothingFree) } else { Ok(flights) }
    }

    async fn client(ctx: &Ctx<Booking>, flights: &Vec<Flight>) -> Result<Decision> {
        let to = flights.first().map_or("", |flight| &flight.destination);
        let ask = ctx.elicit::<PickFlight>(format!("Which flight to {to}?"));
        let offered = flights.iter().map(|flight| (flight.id.as_str(), flight.to_string()));
        let picked = match ask.choices(PickFlight::FLIGHT_ID, offered).await? {
            Elicited::Accept(picked) => picked,
            Elicited::Decline => {
                return Ok(Decision::Nothing("The user wants none of these flights. Nothing is booked.".into()));
            }
            Elicited::Cancel => return Ok(Decision::Nothing(CLOSED.into())),
        };
        let id = &picked.flight_id;
        let flight = flights.iter().find(|flight| flight.id == *id).map_or_else(|| id.clone(), Flight::to_string);
        Ok(match ctx.elicit::<Confirm>(format!("Book {flight}?")).await? {
            Elicited::Accept(Confirm { confirmed: true }) => Decision::Book(picked),
            Elicited::Accept(_) | Elicited::Decline => {
                Decision::Nothing(format!("The user decided against {id}. Nothing is booked."))
            }
            Elicited::Cancel => Decision::Nothing(CLOSED.into()),
        })
    }

    /// Takes the seat.
    async fn after(&self, db: &FlightDb, _flights: Vec<Flight>, decision: Decision) -> Result<String, FlightError> {
        match decision {
            Decision::Book(PickFlight { flight_id, seat }) => {
                let ticket = db.book(&flight_id)?;
                let flight = db.flight(&flight_id)?;
                Ok(format!("Booked {flight}, {}. The ticket is {ticket}.", seat.in_words()))
            }
            Decision::Nothing(words) => Ok(words),
        }
    }
}

/// How many flights a form offers.
const OFFERED: usize = 10;

/// No answer is not a no.
const CLOSED: &str = "The user closed the form. Nothing is booked; ask whether they still want to.";

impl Seat {
    fn in_words(self) -> &'static str {
        match self {
            Self::Window => "a window seat",
            Self::Aisle => "an aisle seat",
            Self::None => "any seat",
        }
    }
}

#[cfg(test)]
mod tests {
    use mcp_runtime::{Revision, Service, testing::Client};
    use serde_json::json;

    use super::*;

    /// The revisions that have forms.
    const ASKING: [Revision; 3] = [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28];

    fn service() -> Service {
        Server::new("flights", "1").state(FlightDb::open()).tool(BookFlight).build().unwrap()
    }

    /// Also where the server remembers nothing between the rounds.
    #[tokio::test]
    async fn a_call_that_is_rebuilt_books_once() {
        let service = service();
        let mut client = Client::modern(&service).rebuilding();
        for ticket in ["AL143-04/4", "AL143-04/3"] {
            let booked = client
                .call("book_flight", json!({ "destination": "HEL", "date": "2026-12-04" }))
                .accept(PickFlight { flight_id: "AL143-04".into(), seat: Seat::Window })
                .accept(Confirm { confirmed: true })
                .await;
            assert!(booked.text().ends_with(&format!("a window seat. The ticket is {ticket}.")), "{}", booked.text());
        }
    }

    #[tokio::test]
    async fn one_script_books_in_every_revision() {
        for revision in ASKING {
            let booked = Client::new(&service(), revision)
                .call("book_flight", json!({ "destination": "HEL", "date": "2026-12-04" }))
                .accept(PickFlight { flight_id: "AL143-04".into(), seat: Seat::Aisle })
                .accept(Confirm { confirmed: true })
                .await;
            assert!(booked.text().ends_with(", an aisle seat. The ticket is AL143-04/4."), "{}", booked.text());
        }
    }

    /// A phase is a method: a test calls it with what it likes.
    #[tokio::test]
    async fn a_flight_that_is_sold_out_meanwhile_is_not_booked() {
        let db = FlightDb::open();
        let flights = BookFlight.before(&db, "HEL".into(), None, "2026-12-04".parse().ok()).await.unwrap();
        let flight_id = flights[0].id.clone();
        while db.book(&flight_id).is_ok() {}
        let decision = Decision::Book(PickFlight { flight_id, seat: Seat::None });
        let refused = BookFlight.after(&db, flights, decision).await.unwrap_err();
        assert!(matches!(refused, FlightError::SoldOut { .. }), "{refused}");
    }

    #[tokio::test]
    async fn what_is_sold_out_is_not_offered() {
        let mut client = Client::new(&service(), Revision::LATEST);
        let from_oslo = json!({ "origin": "OSL", "destination": "LHR" });
        let declined = client.call("book_flight", from_oslo).decline().await;
        let offered = declined.asked()[0].schema().unwrap()["properties"]["flight_id"].to_string();
        assert!(offered.contains("FJ101-05") && !offered.contains("FJ101-04"), "{offered}");

        let alone = json!({ "origin": "AMS", "destination": "LIS", "date": "2026-12-06" });
        let refused = client.call("book_flight", alone).await;
        assert_eq!(refused.text(), FlightError::NothingFree.to_string());
    }
}
