//! What may stand on a parameter.

use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

/// Neither `Deserialize` nor `JsonSchema`.
struct Date(String);

/// `Deserialize` alone.
#[derive(Deserialize)]
struct Code(#[allow(dead_code)] String);

/// Both, but no `Serialize` to show a default with.
#[derive(Default, Deserialize, JsonSchema)]
enum Order {
    #[default]
    Up,
    Down,
}

const MAX: u32 = 50;

/// Searches for flights.
#[mcp_tool]
async fn search(
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
    #[schemars(with = "String", example = &"LH", title = "Airline")] airline: Code,
    #[serde(default)] order: Order,
    #[serde(skip)] trace: Vec<String>,
    #[schemars(inner(length(min = 1)), extend("x-order" = 7))] mut via: Vec<String>,
    #[allow(unused_variables)] seats: Option<u8>,
) -> String {
    via.extend(trace);
    let _ = (airline, Date::clone(&outbound), inbound);
    format!("{destination} {limit} {} {}", via.len(), matches!(order, Order::Down))
}

impl Clone for Date {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
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
    let _ = tools![search];
}
