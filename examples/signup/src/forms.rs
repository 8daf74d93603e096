//! The forms: every kind of field there is.

use chrono::NaiveDate;
use mcp_runtime::{Email, MultiSelect, prelude::*};

/// What signing up asks.
#[elicits]
#[derive(Clone, Debug)]
pub(crate) enum SignUp {
    // A struct of its own: other sets may have it too.
    /// Who somebody is.
    Attendee(Attendee),
    /// How they take part.
    Stay {
        /// Up to three people may come along.
        #[elicit(title = "Guests", default = 0, max = 3)]
        guests: u8,
        /// In euros, for those who cannot pay their journey.
        #[elicit(title = "Travel fund", min = 0, max = 500)]
        donation: Option<f64>,
        /// There are buses in the morning and at noon.
        #[elicit(title = "Arrival")]
        arrives: NaiveDate,
        /// When a taxi is wanted, such as `2026-12-06T17:30:00+01:00`.
        #[elicit(title = "Taxi", format = "date-time")]
        taxi: Option<String>,
        #[elicit(title = "Meals", default = "vegetarian")]
        meals: Meals,
        // The titles of its choices are written in the old way, for the sake of a client that knows no other.
        #[elicit(title = "Shirt", enum_names)]
        shirt: Shirt,
        /// How you come.
        transport: Transport,
        /// Photos of the talks are published.
        #[elicit(title = "You may photograph me", default = false)]
        photos: bool,
    },
    /// What else they take part in.
    Workshops {
        /// Each takes a morning.
        #[elicit(title = "Workshops", min_items = 1, max_items = 2)]
        workshops: MultiSelect<Workshop>,
    },
}

/// Who somebody is.
#[derive(Form, Clone, Debug)]
pub(crate) struct Attendee {
    /// As it shall stand on the badge.
    #[elicit(title = "Name", min_length = 2, max_length = 60)]
    pub(crate) name: String,
    /// The ticket goes there.
    #[elicit(title = "E-mail")]
    pub(crate) email: Email,
    /// Stands beside the name in the list of attendees.
    #[elicit(title = "Website", format = "uri")]
    pub(crate) website: Option<String>,
}

/// Choices with titles.
#[derive(Choice, Clone, Copy, Debug)]
pub(crate) enum Meals {
    Vegetarian,
    Vegan,
    #[choice(title = "With meat and fish")]
    Everything,
}

/// Choices with titles of their own each.
#[derive(Choice, Clone, Copy, Debug)]
pub(crate) enum Shirt {
    #[choice(title = "Small")]
    S,
    #[choice(title = "Medium")]
    M,
    #[choice(title = "Large")]
    L,
}

/// Choices that need no titles.
#[derive(Choice, Clone, Copy, Debug)]
pub(crate) enum Transport {
    Train,
    Car,
    Bicycle,
}

/// Several of these may be chosen.
#[derive(Choice, Clone, Copy, Debug)]
pub(crate) enum Workshop {
    #[choice(title = "Async from the ground up")]
    Async,
    #[choice(title = "Macros that help")]
    Macros,
    #[choice(rename = "ffi", title = "Living with C")]
    ForeignFunctions,
}
