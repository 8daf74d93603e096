//! A tool whose arguments are nested and hold enums, written with `mcp-runtime`.

#![allow(dead_code, reason = "only read")]

use mcp_runtime::mcp_tool;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Customer {
    name: String,
    email: String,
    kind: Kind,
    address: Address,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Private,
    Business,
}

#[derive(Deserialize, JsonSchema)]
struct Address {
    street: String,
    town: String,
    code: String,
    country: Country,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Country {
    France,
    Portugal,
    Spain,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Item {
    name: String,
    number: String,
    pieces: u32,
    price: f64,
    size: Size,
    colour: Colour,
    gift: bool,
    note: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Size {
    Small,
    Medium,
    Large,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Colour {
    White,
    DarkBlue,
    /// Not black.
    Grey,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Delivery {
    Standard,
    Express,
}

/// Order items, and say how many pieces they are.
#[mcp_tool]
pub(crate) async fn order(
    /// Who orders.
    customer: Customer,
    /// What is ordered.
    items: Vec<Item>,
    /// How fast it is to arrive.
    delivery: Delivery,
) -> String {
    drop((customer, delivery));
    format!("{} pieces", items.iter().map(|item| item.pieces).sum::<u32>())
}
