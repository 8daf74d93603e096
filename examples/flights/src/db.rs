//! The flights and airports: state that all calls share.

use std::{cmp::Reverse, fmt, io, path::Path, sync::Arc};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{date::Date, error::FlightError, tickets::Tickets};

/// A flight on one day. Times are those of the clock at the airport; every flight arrives on the day it departs.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Flight {
    /// The id, which `get_flight` takes.
    pub(crate) id: String,
    pub(crate) airline: String,
    /// IATA code of the airport it leaves.
    pub(crate) origin: String,
    /// IATA code of the airport it flies to.
    pub(crate) destination: String,
    pub(crate) date: Date,
    /// Local time at the origin, such as `07:05`.
    pub(crate) departs: String,
    /// Local time at the destination.
    pub(crate) arrives: String,
    /// The duration in minutes.
    pub(crate) minutes: u32,
    /// Price of one seat in euros.
    pub(crate) price: u32,
    /// Free seats; 0 if it is sold out.
    pub(crate) seats: u32,
}

/// An airport that flights leave from or fly to.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Airport {
    /// IATA code: three letters.
    pub(crate) code: String,
    pub(crate) city: String,
    pub(crate) country: String,
}

/// The conditions of a search.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) destination: String,
    pub(crate) origin: Option<String>,
    pub(crate) date: Option<Date>,
    pub(crate) max_price: Option<u32>,
}

/// What comes first in a list of flights.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Sort {
    #[default]
    Price,
    Departure,
    Duration,
    Seats,
}

/// All flights and airports. Cheap to clone; all clones share their tickets.
#[derive(Clone, Debug)]
pub struct FlightDb {
    /// All flights, as if no ticket was sold.
    timetable: Arc<[Flight]>,
    tickets: Arc<Tickets>,
    airports: Arc<[Airport]>,
}

impl fmt::Display for Flight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { airline, origin, destination, date, departs, arrives, price, .. } = self;
        write!(f, "{airline}, {origin} to {destination} on {date}, {departs} to {arrives}, {price} €")
    }
}

impl FlightDb {
    /// Opens the timetable that is compiled into the program, without sold tickets.
    pub fn open() -> Self {
        Self::with(Tickets::in_memory())
    }

    /// Opens the same timetable, with the tickets in this file.
    ///
    /// # Errors
    /// Fails if the file cannot be opened.
    pub fn shared(tickets: &Path) -> io::Result<Self> {
        Tickets::in_file(tickets).map(Self::with)
    }

    fn with(tickets: Tickets) -> Self {
        Self {
            timetable: read(include_str!("flights.json")).into(),
            tickets: Arc::new(tickets),
            airports: read(include_str!("airports.json")).into(),
        }
    }

    /// Returns all airports, sorted by code.
    pub(crate) fn airports(&self) -> &[Airport] {
        &self.airports
    }

    /// Returns the airport with this code. Case is ignored.
    pub(crate) fn airport(&self, code: &str) -> Result<&Airport, FlightError> {
        let is_it = |airport: &&Airport| airport.code.eq_ignore_ascii_case(code.trim());
        self.airports.iter().find(is_it).ok_or_else(|| self.no_airport(code))
    }

    /// Returns the flight with this id. Case is ignored.
    pub(crate) fn flight(&self, id: &str) -> Result<Flight, FlightError> {
        find(&self.flights()?, id).cloned()
    }

    /// Books a seat of a flight for the call with this key, and returns the number of the ticket.
    pub(crate) fn book(&self, id: &str, key: &str) -> Result<String, FlightError> {
        let Flight { id, seats, .. } = find(&self.timetable, id)?;
        let left = self.tickets.sell(id, *seats, key)?.ok_or_else(|| FlightError::SoldOut { id: id.clone() })?;
        Ok(format!("{id}/{left}"))
    }

    /// Returns the flights that meet the conditions, in this order.
    pub(crate) fn search(&self, wanted: &Wanted, sort: Sort) -> Result<Vec<Flight>, FlightError> {
        let destination = &self.airport(&wanted.destination)?.code;
        let origin = wanted.origin.as_ref().map(|code| self.airport(code)).transpose()?;
        if origin.is_some_and(|origin| origin.code == *destination) {
            return Err(FlightError::SameAirport { code: destination.clone() });
        }
        let fits = |flight: &Flight| {
            flight.destination == *destination
                && origin.is_none_or(|origin| flight.origin == origin.code)
                && wanted.date.is_none_or(|date| flight.date == date)
                && wanted.max_price.is_none_or(|max| flight.price <= max)
        };
        let mut flights: Vec<_> = self.flights()?.into_iter().filter(fits).collect();
        // The data is sorted by departure, and the stable sort keeps that order for equal flights.
        match sort {
            Sort::Departure => {}
            Sort::Price => flights.sort_by_key(|flight| flight.price),
            Sort::Duration => flights.sort_by_key(|flight| flight.minutes),
            Sort::Seats => flights.sort_by_key(|flight| Reverse(flight.seats)),
        }
        Ok(flights)
    }

    fn no_airport(&self, given: &str) -> FlightError {
        let wanted = given.trim().to_lowercase();
        let likeness = |airport: &Airport| {
            let (code, city) = (airport.code.to_lowercase(), airport.city.to_lowercase());
            if wanted.len() >= 3 && (city.starts_with(&wanted) || wanted.contains(&city)) {
                return 1.0;
            }
            alike(&wanted, &code).max(alike(&wanted, &city))
        };
        let nearest = nearest(&self.airports, likeness);
        let name = |airport: &Airport| format!("`{}` ({})", airport.code, airport.city);
        FlightError::NoAirport { given: given.into(), nearest: nearest.map(name) }
    }

    /// Returns all flights with their free seats.
    fn flights(&self) -> Result<Vec<Flight>, FlightError> {
        let sold = self.tickets.sold()?;
        let left = |flight: &Flight| {
            let sold = sold.get(&flight.id).copied().unwrap_or_default();
            Flight { seats: flight.seats.saturating_sub(sold), ..flight.clone() }
        };
        Ok(self.timetable.iter().map(left).collect())
    }
}

fn read<T: DeserializeOwned>(text: &str) -> Vec<T> {
    serde_json::from_str(text).expect("a test reads the same data")
}

fn find<'a>(flights: &'a [Flight], id: &str) -> Result<&'a Flight, FlightError> {
    flights.iter().find(|flight| flight.id.eq_ignore_ascii_case(id.trim())).ok_or_else(|| {
        let nearest = nearest(flights, |flight| alike(&id.to_uppercase(), &flight.id));
        FlightError::NoFlight { given: id.into(), nearest: nearest.map(|flight| format!("`{}`", flight.id)) }
    })
}

/// Returns the element with the highest likeness, if that is high enough.
fn nearest<T>(all: &[T], likeness: impl Fn(&T) -> f64) -> Option<&T> {
    const LIKE: f64 = 0.6;

    let scored = all.iter().map(|one| (likeness(one), one)).filter(|(like, _)| *like >= LIKE);
    // Of several elements with the same likeness, the first one.
    scored.rev().max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, one)| one)
}

fn alike(a: &str, b: &str) -> f64 {
    strsim::normalized_damerau_levenshtein(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to(destination: &str) -> Wanted {
        Wanted { destination: destination.into(), ..Wanted::default() }
    }

    fn refused(wanted: &Wanted) -> String {
        FlightDb::open().search(wanted, Sort::Price).unwrap_err().to_string()
    }

    #[test]
    fn the_data_fits_together() {
        let db = FlightDb::open();
        let flights = db.flights().unwrap();
        assert!(db.airports.is_sorted_by_key(|airport| &airport.code));
        assert!(flights.is_sorted_by_key(|flight| (flight.date, &flight.departs)));
        for (index, flight) in flights.iter().enumerate() {
            assert!(db.airport(&flight.origin).is_ok() && db.airport(&flight.destination).is_ok(), "{flight:?}");
            assert!(flights[..index].iter().all(|other| other.id != flight.id), "`{}` is there twice", flight.id);
        }
    }

    #[test]
    fn each_condition_reduces_the_results() {
        let db = FlightDb::open();
        let count = |wanted: &Wanted| db.search(wanted, Sort::Price).unwrap().len();
        let date = "2026-12-05".parse().ok();
        assert_eq!(count(&to("OSL")), 9);
        assert_eq!(count(&Wanted { origin: Some("lhr".into()), ..to("osl") }), 3);
        assert_eq!(count(&Wanted { origin: Some("LHR".into()), date, ..to("OSL") }), 1);
        assert_eq!(count(&Wanted { max_price: Some(1), ..to("OSL") }), 0);
    }

    #[test]
    fn flights_come_in_the_order_asked_for() {
        let db = FlightDb::open();
        let search = |sort| db.search(&to("LHR"), sort).unwrap();
        assert!(search(Sort::Price).is_sorted_by_key(|flight| flight.price));
        assert!(search(Sort::Departure).is_sorted_by_key(|flight| (flight.date, &flight.departs)));
        assert!(search(Sort::Duration).is_sorted_by_key(|flight| flight.minutes));
        assert!(search(Sort::Seats).is_sorted_by_key(|flight| Reverse(flight.seats)));
    }

    #[test]
    fn an_unknown_airport_is_reported_with_the_most_similar_one() {
        for (given, nearest) in [
            ("OSLO", "`OSL` (Oslo)"),
            ("olso", "`OSL` (Oslo)"),
            ("London Heathrow", "`LHR` (London)"),
            ("copen", "`CPH` (Copenhagen)"),
            ("JFX", "`JFK` (New York)"),
        ] {
            assert_eq!(refused(&to(given)), format!("no airport `{given}`; did you mean {nearest}?"));
        }
        assert_eq!(refused(&to("XQZ")), "no airport `XQZ`; `list_airports` lists all airports");
        assert_eq!(refused(&to("")), "no airport ``; `list_airports` lists all airports");
    }

    #[test]
    fn origin_and_destination_must_differ() {
        let there_and_there = Wanted { origin: Some("osl".into()), ..to("OSL") };
        assert_eq!(
            refused(&there_and_there),
            "`origin` and `destination` are both `OSL`; leave `origin` out to see all flights there"
        );
    }

    #[test]
    fn a_flight_is_found_by_its_id() {
        let db = FlightDb::open();
        assert_eq!(db.flight("al136-04").unwrap().id, "AL136-04");
        assert_eq!(db.flight("AL136-4").unwrap_err().to_string(), "no flight `AL136-4`; did you mean `AL136-04`?");
        assert_eq!(db.flight("Q").unwrap_err().to_string(), "no flight `Q`; `search_flights` gives the ids");
    }

    #[test]
    fn a_booking_takes_a_seat_until_there_is_none() {
        let db = FlightDb::open();
        let free = db.flight("AL143-04").unwrap().seats;
        let tickets: Vec<_> = (0..free).map(|_| db.book("al143-04", "key").unwrap()).collect();
        assert_eq!(tickets, ["AL143-04/4", "AL143-04/3", "AL143-04/2", "AL143-04/1"]);
        assert_eq!(db.book("AL143-04", "key").unwrap_err().to_string(), "`AL143-04` is sold out");
        assert_eq!(db.flight("AL143-04").unwrap().seats, 0);
    }
}
