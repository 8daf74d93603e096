//! Booking: a tool that asks the user for a flight, and a model for a summary.

use std::time::Duration;

use mcp_runtime::{Result, prelude::*};

use crate::{
    date::Date,
    db::{Flight, FlightDb, Sort, Wanted},
    error::FlightError,
};

/// The forms of the tool.
#[elicits]
#[derive(Debug)]
pub enum Booking {
    /// Which flight, and where to sit.
    PickFlight {
        /// The flight to book; the cheapest is the first.
        #[elicit(title = "Flight")]
        flight_id: String,
        /// Where to sit.
        #[elicit(title = "Seat", default = "none")]
        seat: Seat,
    },
    /// Confirms the booking.
    Confirm {
        /// Without it nothing is booked.
        #[elicit(title = "Book it")]
        confirmed: bool,
    },
}

/// Where to sit.
#[derive(Choice, Clone, Copy, Debug)]
pub enum Seat {
    Window,
    Aisle,
    #[choice(title = "No preference")]
    None,
}

/// The tool. Its questions are between two phases that run once, even if the client retries.
pub struct BookFlight;

/// What the user decided.
#[derive(Debug)]
pub(crate) enum Decision {
    /// The flight to book, and a sentence for the traveller if a model wrote one.
    Book(PickFlight, Option<String>),
    /// No booking. The text tells the model why.
    Nothing(String),
}

/// Book a flight together with the user, who picks one of those that fit and confirms it. Nothing is booked otherwise.
#[handoff(title = "Book a flight", destructive = false, open_world = false, optional(sampling))]
impl BookFlight {
    /// Returns the flights to offer.
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
            Elicited::Accept(Confirm { confirmed: true }) => {
                let summary = summary(ctx, &flight, picked.seat).await;
                Decision::Book(picked, summary)
            }
            Elicited::Accept(_) | Elicited::Decline => {
                Decision::Nothing(format!("The user decided against {id}. Nothing is booked."))
            }
            Elicited::Cancel => Decision::Nothing(CLOSED.into()),
        })
    }

    /// Books the seat.
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

/// Returns one sentence for the traveller, if the client or the server can sample. Without it, the booking continues.
async fn summary(ctx: &Ctx<Booking>, flight: &str, seat: Seat) -> Option<String> {
    let ask = ctx
        .sample(format!(
            "Tell a traveller in one friendly sentence what they have booked: {flight}, {}.",
            seat.in_words()
        ))
        .system("You write for travellers. You say nothing that you were not told.")
        .max_tokens(100)
        .timeout(Duration::from_secs(60));
    match ask.await {
        // A model can write any text: use its first line, up to 300 characters.
        Ok(reply) => reply.text.trim().lines().next().map(|line| line.chars().take(300).collect()),
        Err(AskError::Capability(_)) => None,
        Err(error) => {
            ctx.log(Level::Notice, format!("there is no summary: {error}"));
            None
        }
    }
}

/// How many flights a form offers.
const OFFERED: usize = 10;

/// A closed form is not a refusal, so the model should ask the user.
const CLOSED: &str = "The user closed the form. Nothing is booked; ask whether they still want to.";

impl Decision {
    /// Books with the key of the call. The ticket can be found by this key.
    fn carry_out(self, db: &FlightDb, key: &str) -> Result<String, FlightError> {
        match self {
            Self::Book(PickFlight { flight_id, seat }, summary) => {
                let ticket = db.book(&flight_id, key)?;
                let flight = db.flight(&flight_id)?;
                let summary = summary.map(|summary| format!("\n\nFor the traveller: {summary}")).unwrap_or_default();
                Ok(format!("Booked {flight}, {}. The ticket is {ticket}.{summary}", seat.in_words()))
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
    use mcp_runtime::{Revision, in_every_mode, testing::Client};
    use serde_json::json;

    use super::*;

    fn server(db: &FlightDb) -> Server {
        Server::new("flights", "1").state(db.clone()).tool(BookFlight)
    }

    /// Sells one ticket in sessions and in rounds, parked and rebuilt, with lost replies and repeated requests.
    #[tokio::test]
    async fn it_books_once_in_every_mode() {
        let day = json!({ "destination": "HEL", "date": "2026-12-04" });
        let pick = || PickFlight { flight_id: "AL143-04".into(), seat: Seat::Aisle };
        in_every_mode!(|mode| {
            let db = FlightDb::open();
            let mut client = mode.client(|| server(&db));
            let call = client.call("book_flight", &day).accept(pick()).accept(Confirm { confirmed: true });
            let booked = call.sampled("Enjoy Helsinki!\nP.S. Tip me.").await;
            let told = ", an aisle seat. The ticket is AL143-04/4.\n\nFor the traveller: Enjoy Helsinki!";
            assert!(booked.text().ends_with(told), "{}", booked.text());
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
        call.accept(pick).accept(Confirm { confirmed: true }).sampled("Enjoy it!").assert_replay_safe().await;
    }

    #[tokio::test]
    async fn a_booking_does_not_depend_on_its_summary() {
        let day = json!({ "destination": "HEL", "date": "2026-12-04" });
        let pick = || PickFlight { flight_id: "AL143-04".into(), seat: Seat::None };
        let service = server(&FlightDb::open()).build().unwrap();
        let own_words = |text: &str| text.contains("any seat. The ticket is") && !text.contains("traveller");

        let mut client = Client::modern(&service).without_sampling();
        let booked = client.call("book_flight", &day).accept(pick()).accept(Confirm { confirmed: true }).await;
        assert!(own_words(&booked.text()) && booked.logs().is_empty(), "{}", booked.text());

        // The user rejects the sampling request, before 2026-07-28 and since.
        let mut session = Client::legacy(&service, Revision::V2025_11_25);
        let call = session.call("book_flight", &day).accept(pick()).accept(Confirm { confirmed: true });
        let booked = call.refuse(-1, "User rejected sampling request").await;
        assert!(own_words(&booked.text()) && booked.logs().len() == 1, "{}", booked.text());
        let mut modern = Client::modern(&service);
        let call = modern.call("book_flight", &day).accept(pick()).accept(Confirm { confirmed: true });
        let booked = call.silence().silence().silence().await;
        assert!(own_words(&booked.text()), "{}", booked.text());
    }

    /// A phase is a method, so a test can call it with any arguments.
    #[tokio::test]
    async fn a_flight_that_is_sold_out_meanwhile_is_not_booked() {
        let db = FlightDb::open();
        let flights = BookFlight.before(&db, "HEL".into(), None, "2026-12-04".parse().ok()).await.unwrap();
        let flight_id = flights[0].id.clone();
        while db.book(&flight_id, "theirs").is_ok() {}
        let decision = Decision::Book(PickFlight { flight_id, seat: Seat::None }, None);
        let refused = decision.carry_out(&db, "ours").unwrap_err();
        assert!(matches!(refused, FlightError::SoldOut { .. }), "{refused}");
    }

    #[tokio::test]
    async fn sold_out_flights_are_not_offered() {
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
