//! What no schema can say in a way that all hosts take.
#![expect(dead_code, reason = "only the schemas matter")]

use std::collections::{BTreeMap, HashMap};

use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::{
    choices::{Seat, Status},
    structs::Place,
};

/// A folder, with those in it.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Folder {
    /// Its name.
    name: String,
    folders: Vec<Folder>,
    parent: Option<Box<Folder>>,
}

/// Its kind is a field.
#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Shape {
    /// A circle.
    Circle { radius: f64 },
    /// A box.
    Rectangle { width: f64, height: f64 },
}

/// Its kind is the name of the only field.
#[derive(Deserialize, JsonSchema)]
pub(crate) enum Payment {
    /// In coins.
    Cash,
    /// By card.
    Card {
        number: String,
    },
    Voucher(String),
}

/// One of two types.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Id {
    Number(u64),
    Name(String),
}

/// Takes maps.
#[mcp_tool(read_only)]
pub(crate) async fn maps(
    /// Values by name.
    _labels: HashMap<String, String>,
    _places: BTreeMap<String, Place>,
    _optional: Option<HashMap<String, u32>>,
) {
}

/// Takes any value.
#[mcp_tool(read_only)]
pub(crate) async fn any_value(
    /// Anything.
    _value: Value,
    _optional: Option<Value>,
    _list: Vec<Value>,
    _object: serde_json::Map<String, Value>,
) {
}

/// Takes tuples of several types.
#[mcp_tool(read_only)]
pub(crate) async fn mixed_tuples(
    _pair: (String, u32),
    _three: Option<(String, u32, bool)>,
    _nested: ((u8, u8), String),
    _entries: Vec<(String, u32)>,
    _choices: (Seat, Status),
) {
}

/// Takes a type that contains itself.
#[mcp_tool(read_only)]
pub(crate) async fn recursion(_folder: Folder) {}

/// Takes one of several structs, told apart by a field.
#[mcp_tool(read_only)]
pub(crate) async fn tagged_union(_shape: Shape, _optional: Option<Shape>) {}

/// Takes one of several structs, told apart by a name.
#[mcp_tool(read_only)]
pub(crate) async fn external_union(_payment: Payment) {}

/// Takes one of several types.
#[mcp_tool(read_only)]
pub(crate) async fn untagged_union(_id: Id, _ids: Vec<Id>) {}
