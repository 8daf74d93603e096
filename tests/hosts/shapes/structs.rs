//! Structs: nested, optional, flattened, generic, and as all arguments at once.
#![expect(dead_code, reason = "only the schemas matter")]

use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::choices::{Seat, Status};

/// A place.
#[derive(Default, Deserialize, Serialize, JsonSchema)]
pub(crate) struct Place {
    /// Its name.
    name: String,
    /// Its country, by two letters.
    country: Option<String>,
    tags: Option<Vec<Option<String>>>,
}

/// A journey.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Journey {
    departs_from: Place,
    /// Where it goes.
    arrives_at: Option<Place>,
    stops: Vec<Place>,
    seat: Option<Seat>,
    #[serde(default)]
    status: Status,
    #[serde(default)]
    sizes: Vec<(u8, u8)>,
}

/// The page of a list.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Page {
    /// How many.
    #[schemars(range(min = 1, max = 100))]
    #[serde(default = "ten")]
    limit: u32,
    cursor: Option<String>,
}

fn ten() -> u32 {
    10
}

/// From one value to another.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Span<T> {
    from: Option<T>,
    to: Option<T>,
}

/// A value with its label.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Labelled<T> {
    label: String,
    value: T,
}

/// What to look for.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Query {
    /// The words.
    text: String,
    statuses: Option<Vec<Status>>,
    #[serde(flatten)]
    page: Page,
}

/// Takes structs.
#[mcp_tool(read_only)]
pub(crate) async fn structs(
    /// Where to.
    _place: Place,
    _journey: Journey,
    _boxed: Box<Place>,
    /// The same type once more, with other words.
    _again: Place,
) {
}

/// Takes structs that may be left out.
#[mcp_tool(read_only)]
pub(crate) async fn optional_structs(
    /// Where to.
    _place: Option<Place>,
    _journey: Option<Journey>,
    _boxed: Option<Box<Place>>,
    _inside: Vec<Option<Journey>>,
) {
}

/// Takes structs whose fields are those of others.
#[mcp_tool(read_only)]
pub(crate) async fn flattened(
    /// What to look for.
    _query: Query,
    _optional: Option<Query>,
) {
}

/// Takes generic structs.
#[mcp_tool(read_only)]
pub(crate) async fn generic(
    _prices: Span<f64>,
    _days: Option<Span<chrono::NaiveDate>>,
    _place: Labelled<Place>,
    _seats: Labelled<Vec<Option<Seat>>>,
) {
}

/// Takes all arguments as one struct.
#[mcp_tool(read_only)]
pub(crate) async fn one_struct(#[params] _query: Query) {}
