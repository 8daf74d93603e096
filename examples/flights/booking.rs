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
    async fn after(
        &self,
        db: &FlightDb,
        ctx: &PhaseCtx,
        _flights: Vec<Flight>,
        decision: Decision,
    ) -> Result<String, FlightError> {
        decision.carry_out(db, &ctx.idempotency_key("after"))
    }
}

/// How many flights a form offers.
const OFFERED: usize = 10;

/// No answer is not a no.
const CLOSED: &str = "The user closed the form. Nothing is booked; ask whether they still want to.";

impl Decision {
    /// Books by the key of the call, by which the ticket is found again.
    fn carry_out(self, db: &FlightDb, key: &str) -> Result<String, FlightError> {
        match self {
            Self::Book(PickFlight { flight_id, seat }) => {
                let ticket = db.book(&flight_id, key)?;
                let flight = db.flight(&flight_id)?;
                Ok(format!("Booked {flight}, {}. The ticket is {ticket}.", seat.in_words()))
            }
            Self::Nothing(words) => Ok(words),
        }
    }
}

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
    use mcp_runtime::{in_every_mode, testing::Client};
    use serde_json::json;

    use super::*;

    fn server(db: &FlightDb) -> Server {
        Server::new("flights", "1").state(db.clone()).tool(BookFlight)
    }

    /// In sessions and in rounds, parked and rebuilt, with replies lost and requests doubled: one ticket.
    #[tokio::test]
    async fn it_books_once_in_every_mode() {
        let day = json!({ "destination": "HEL", "date": "2026-12-04" });
        let pick = || PickFlight { flight_id: "AL143-04".into(), seat: Seat::Aisle };
        in_every_mode!(|mode| {
            let db = FlightDb::open();
            let mut client = mode.client(|| server(&db));
            let booked = client.call("book_flight", &day).accept(pick()).accept(Confirm { confirmed: true }).await;
            assert!(booked.text().ends_with(", an aisle seat. The ticket is AL143-04/4."), "{}", booked.text());
            mode.same("free seats", db.flight("AL143-04").unwrap().seats);

            client.call("book_flight", &day).accept(pick()).decline().await;
            client.call("book_flight", &day).cancel().await;
            mode.same("free seats", db.flight("AL143-04").unwrap().seats);
        });
    }

    #[tokio::test]
    async fn it_asks_the_same_when_it_is_run_again() {
        let mut client = Client::modern(&server(&FlightDb::open()).build().unwrap());
        let call = client.call("book_flight", json!({ "destination": "HEL", "date": "2026-12-04" }));
        let pick = PickFlight { flight_id: "AL143-04".into(), seat: Seat::Window };
        call.accept(pick).accept(Confirm { confirmed: true }).assert_replay_safe().await;
    }

    /// A phase is a method: a test calls it with what it likes.
    #[tokio::test]
    async fn a_flight_that_is_sold_out_meanwhile_is_not_booked() {
        let db = FlightDb::open();
        let flights = BookFlight.before(&db, "HEL".into(), None, "2026-12-04".parse().ok()).await.unwrap();
        let flight_id = flights[0].id.clone();
        while db.book(&flight_id, "theirs").is_ok() {}
        let decision = Decision::Book(PickFlight { flight_id, seat: Seat::None });
        let refused = decision.carry_out(&db, "ours").unwrap_err();
        assert!(matches!(refused, FlightError::SoldOut { .. }), "{refused}");
    }

    #[tokio::test]
    async fn what_is_sold_out_is_not_offered() {
        let mut client = Client::modern(&server(&FlightDb::open()).build().unwrap());
        let from_oslo = json!({ "origin": "OSL", "destination": "LHR" });
        let declined = client.call("book_flight", from_oslo).decline().await;
        let offered = declined.asked()[0].schema().unwrap()["properties"]["flight_id"].to_string();
        assert!(offered.contains("FJ101-05") && !offered.contains("FJ101-04"), "{offered}");

        let alone = json!({ "origin": "AMS", "destination": "LIS", "date": "2026-12-06" });
        let refused = client.call("book_flight", alone).await;
        assert_eq!(refused.text(), FlightError::NothingFree.to_string());
    }
}
