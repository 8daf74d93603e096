//! The errors of the tools, which tell a model what to do.

/// An error of a search or a booking.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FlightError {
    #[error("no airport `{given}`; {}", did_you_mean(.nearest, "`list_airports` lists all airports"))]
    NoAirport { given: String, nearest: Option<String> },

    #[error("no flight `{given}`; {}", did_you_mean(.nearest, "`search_flights` gives the ids"))]
    NoFlight { given: String, nearest: Option<String> },

    #[error("`origin` and `destination` are both `{code}`; leave `origin` out to see all flights there")]
    SameAirport { code: String },

    #[error("`{id}` is sold out")]
    SoldOut { id: String },

    #[error("no flight that fits has a free seat; `search_flights` also shows those that are sold out")]
    NothingFree,

    #[error("the tickets cannot be read or written at the moment")]
    Tickets(#[from] std::io::Error),
}

fn did_you_mean(nearest: &Option<String>, otherwise: &str) -> String {
    nearest.as_ref().map_or_else(|| otherwise.to_owned(), |nearest| format!("did you mean {nearest}?"))
}
