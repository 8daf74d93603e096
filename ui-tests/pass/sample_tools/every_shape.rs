//! A variant carries nothing, fields, or one type that reads the whole input.

use std::collections::BTreeMap;

use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

/// Neither `Deserialize` nor `JsonSchema`.
#[derive(Default)]
struct Date(String);

/// `Deserialize` alone.
#[derive(Deserialize)]
struct Code(String);

#[derive(Deserialize, JsonSchema)]
struct Query {
    text: String,
}

const MAX: u32 = 50;

#[derive(SampleTools)]
enum Travel {
    /// Search for flights.
    ///
    /// - to one place
    /// - on one day
    Flights {
        /// IATA code of the destination.
        #[schemars(length(equal = 3), pattern("^[A-Z]+$"))]
        destination: String,
        #[serde(rename = "max", alias = "limit", alias = "count", default = "ten")]
        #[schemars(range(min = 1, max = MAX))]
        limit: u32,
        #[serde(deserialize_with = "date")]
        #[schemars(with = "String")]
        outbound: Date,
        #[serde(with = "optional_date", default)]
        #[schemars(schema_with = "describe_date")]
        inbound: Option<Date>,
        #[schemars(with = "String", example = &"LH", title = "Airline")]
        airline: Code,
        #[serde(skip)]
        today: Date,
        seats: Option<u8>,
        prices: BTreeMap<String, f64>,
        r#in: Vec<(u8, String)>,
    },
    /// Search for a hotel.
    #[tool(name = "HOTELS-2")]
    Hotels(Query),
    #[tool(description = include_str!("every_shape.md"))]
    Nothing,
    #[doc = concat!("Give", " up.")]
    r#Break {},
    /// Boxed.
    Boxed(Box<Query>),
}

fn ten() -> u32 {
    10
}

fn date<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Date, D::Error> {
    String::deserialize(deserializer).map(Date)
}

fn describe_date(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": "string" })
}

mod optional_date {
    use super::Date;
    use serde::{Deserialize, Deserializer};

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Date>, D::Error> {
        Option::<String>::deserialize(deserializer).map(|date| date.map(Date))
    }
}

fn main() {
    let tools: Vec<_> = Travel::tools().into_iter().map(|tool| (tool.name, tool.description)).collect();
    let expected = [
        ("flights", "Search for flights.\n\n- to one place\n- on one day"),
        ("HOTELS-2", "Search for a hotel."),
        ("nothing", "Do nothing."),
        ("break", "Give up."),
        ("boxed", "Boxed."),
    ];
    assert_eq!(tools, expected.map(|(name, description)| (name.to_owned(), description.to_owned())));
    let Ok(Travel::Nothing) = Travel::read("nothing", Default::default()) else { panic!("not read") };
    let Ok(Travel::Break {}) = Travel::read("break", Default::default()) else { panic!("not read") };
    for refused in ["flights", "HOTELS-2", "boxed"] {
        assert!(Travel::read(refused, Default::default()).is_err(), "{refused}");
    }
    if let Ok(Travel::Flights { destination, limit, outbound, inbound, airline, today, seats, prices, r#in }) =
        Travel::read("", Default::default())
    {
        drop((destination, limit, outbound.0, inbound, airline.0, today, seats, prices, r#in));
    }
    if let Ok(Travel::Hotels(query)) = Travel::read("", Default::default()) {
        drop(query.text);
    }
    if let Ok(Travel::Boxed(query)) = Travel::read("", Default::default()) {
        drop(query.text);
    }
}
