//! Tuples and tuple structs whose items are of one type. `unportable` has the others.
#![expect(dead_code, reason = "only the schemas matter")]

use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A point on a map: latitude, then longitude.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Point(f64, f64);

/// Takes tuples.
#[mcp_tool(read_only)]
pub(crate) async fn tuples(
    /// Two numbers.
    _pair: (f64, f64),
    _three: (String, String, String),
    _nested: ((u8, u8), (u8, u8)),
    _point: Point,
    _line: Vec<Point>,
    _pairs: Vec<(u8, u8)>,
    _with_gap: (f64, Option<f64>),
) {
}

/// Takes tuples that may be left out.
#[mcp_tool(read_only)]
pub(crate) async fn optional_tuples(
    /// Two numbers.
    _pair: Option<(f64, f64)>,
    _three: Option<(String, String, String)>,
    _point: Option<Point>,
    _line: Option<Vec<Point>>,
) {
}
