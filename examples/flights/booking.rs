//! Booking: the tool that asks the person at the other end.

use mcp_runtime::{Elicited, Result, prelude::*};

use super::{
    date::Date,
    db::{FlightDb, Sort, Wanted},
    error::FlightError,
};

/// What booking asks.
#[elicits]
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

/// Book a flight together with the user, who picks one of those that fit and confirms it. Nothing is booked otherwise.
#[mcp_tool(title = "Book a flight", destructive = false, open_world = false)]
pub(crate) async fn book(
    db: &FlightDb,
    ctx: &Ctx<Booking>,
    /// IATA code of the airport to fly to, such as `OSL`.
    #[schemars(length(max = 50))]
    destination: String,
    /// IATA code of the airport to leave from. Leave it out to offer flights from everywhere.
    #[schemars(length(max = 50))]
    origin: Option<String>,
    /// The day to fly, such as `2026-12-05`. Leave it out to offer all days.
    date: Option<Date>,
) -> Result<String> {
    let mut flights = db.search(&Wanted { destination, origin, date, max_price: None }, Sort::Price)?;
    flights.retain(|flight| flight.seats > 0);
    flights.truncate(OFFERED);
    let Some(first) = flights.first() else { return Err(FlightError::NothingFree.into()) };

    let ask = ctx.elicit::<PickFlight>(format!("Which flight to {}?", first.destination));
    let offered = flights.iter().map(|flight| (flight.id.as_str(), flight.to_string()));
    let PickFlight { flight_id, seat } = match ask.choices(PickFlight::FLIGHT_ID, offered).await? {
        Elicited::Accept(picked) => picked,
        Elicited::Decline => return Ok("The user wants none of these flights. Nothing is booked.".into()),
        Elicited::Cancel => return Ok(CLOSED.into()),
    };

    let flight = db.flight(&flight_id)?;
    match ctx.elicit::<Confirm>(format!("Book {flight}?")).await? {
        Elicited::Accept(Confirm { confirmed: true }) => {
            let ticket = db.book(&flight_id)?;
            Ok(format!("Booked {flight}, {}. The ticket is {ticket}.", seat.in_words()))
        }
        Elicited::Accept(_) | Elicited::Decline => {
            Ok(format!("The user decided against {flight_id}. Nothing is booked."))
        }
        Elicited::Cancel => Ok(CLOSED.into()),
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
        Server::new("flights", "1").state(FlightDb::open()).tools(tools![book]).build().unwrap()
    }

    #[tokio::test]
    async fn one_script_books_in_every_revision() {
        for revision in ASKING {
            let booked = Client::new(&service(), revision)
                .call("book", json!({ "destination": "HEL", "date": "2026-12-04" }))
                .accept(PickFlight { flight_id: "AL143-04".into(), seat: Seat::Aisle })
                .accept(Confirm { confirmed: true })
                .await;
            assert!(booked.text().ends_with(", an aisle seat. The ticket is AL143-04/4."), "{}", booked.text());
        }
    }

    #[tokio::test]
    async fn what_is_sold_out_is_not_offered() {
        let mut client = Client::new(&service(), Revision::LATEST);
        let from_oslo = json!({ "origin": "OSL", "destination": "LHR" });
        let declined = client.call("book", from_oslo).decline().await;
        let offered = declined.asked()[0].schema().unwrap()["properties"]["flight_id"].to_string();
        assert!(offered.contains("FJ101-05") && !offered.contains("FJ101-04"), "{offered}");

        let alone = json!({ "origin": "AMS", "destination": "LIS", "date": "2026-12-06" });
        let refused = client.call("book", alone).await;
        assert_eq!(refused.text(), FlightError::NothingFree.to_string());
    }
}
