//! Integers of every size, floats and booleans.

use std::num::{NonZeroU16, NonZeroU64};

use mcp_runtime::prelude::*;

/// Takes numbers.
#[mcp_tool(read_only)]
#[allow(clippy::too_many_arguments)]
pub(crate) async fn numbers(
    /// An octet.
    _octet: u8,
    _short: i16,
    _word: u32,
    /// A long number, above what a float holds.
    _long: u64,
    _signed_long: i64,
    _size: usize,
    _port: NonZeroU16,
    _float: f32,
    /// A number with a fraction.
    _double: f64,
    /// Yes or no.
    _flag: bool,
) {
}

/// Takes numbers that may be left out.
#[mcp_tool(read_only)]
pub(crate) async fn optional_numbers(
    /// An octet.
    _octet: Option<u8>,
    _long: Option<u64>,
    _signed_long: Option<i64>,
    _id: Option<NonZeroU64>,
    /// A number with a fraction.
    _double: Option<f64>,
    /// Yes or no.
    _flag: Option<bool>,
    _boxed: Option<Box<u32>>,
) {
}

/// Takes numbers within limits.
#[mcp_tool(read_only)]
pub(crate) async fn limited_numbers(
    #[schemars(range(min = 1, max = 50))] _limit: u32,
    #[schemars(range(min = -90.0, max = 90.0))] _latitude: f64,
    #[schemars(extend("exclusiveMinimum" = 0))] _price: f64,
    #[schemars(extend("multipleOf" = 5))] _minutes: u16,
    #[schemars(range(min = 1, max = 50))] _optional: Option<u32>,
    #[schemars(range(min = 1, max = 50))]
    #[serde(default = 20)]
    _defaulted: u32,
) {
}
