//! The forms, with every kind of field.

use chrono::NaiveDate;
use mcp_runtime::{
    elicit::{Email, MultiSelect},
    prelude::*,
};

/// The forms of `sign_up`.
#[elicits]
#[derive(Clone, Debug)]
pub(crate) enum SignUp {
    // A separate struct, which other sets of forms can use too.
    /// The data of a person.
    Attendee(Attendee),
    /// How the attendee takes part.
    Stay {
        /// You can bring up to three people.
        #[elicit(title = "Guests", default = 0, max = 3)]
        guests: u8,
        /// In euros, if you cannot pay for the journey.
        #[elicit(title = "Travel fund", min = 0, max = 500)]
        donation: Option<f64>,
        /// There are buses in the morning and at noon.
        #[elicit(title = "Arrival")]
        arrives: NaiveDate,
        /// When you want a taxi, such as `2026-12-06T17:30:00+01:00`.
        #[elicit(title = "Taxi", format = "date-time")]
        taxi: Option<String>,
        #[elicit(title = "Meals", default = "vegetarian")]
        meals: Meals,
        // Its choices have titles in the form that older clients know.
        #[elicit(title = "Shirt", enum_names)]
        shirt: Shirt,
        /// How you come.
        transport: Transport,
        /// Photos of the talks are published.
        #[elicit(title = "You may photograph me", default = false)]
        photos: bool,
    },
    /// The workshops that the attendee takes part in.
    Workshops {
        /// Each takes a morning.
        #[elicit(title = "Workshops", min_items = 1, max_items = 2)]
        workshops: MultiSelect<Workshop>,
    },
}

/// The data of a person.
#[derive(Form, Clone, Debug)]
pub(crate) struct Attendee {
    /// The name on the badge.
    #[elicit(title = "Name", min_length = 2, max_length = 60)]
    pub(crate) name: String,
    /// The ticket is sent to this address.
    #[elicit(title = "E-mail")]
    pub(crate) email: Email,
    /// It is shown beside the name in the list of attendees.
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

/// Choices with a title each.
#[derive(Choice, Clone, Copy, Debug)]
pub(crate) enum Shirt {
    #[choice(title = "Small")]
    S,
    #[choice(title = "Medium")]
    M,
    #[choice(title = "Large")]
    L,
}

/// Choices without titles.
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
