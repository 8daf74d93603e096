//! Tuples and tuple structs.
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
    _mixed: (String, u32, bool),
    _nested: ((u8, u8), String),
    _point: Point,
    _line: Vec<Point>,
    _entries: Vec<(String, u32)>,
    _with_gap: (String, Option<u32>),
) {
}

/// Takes tuples that may be left out.
#[mcp_tool(read_only)]
pub(crate) async fn optional_tuples(
    /// Two numbers.
    _pair: Option<(f64, f64)>,
    _mixed: Option<(String, u32, bool)>,
    _point: Option<Point>,
    _line: Option<Vec<Point>>,
) {
}
