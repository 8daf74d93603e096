//! A crate with strict lints: none fires for what the derive makes of an enum.
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    non_snake_case,
    unnameable_types,
    unreachable_pub,
    unused_qualifications,
    unused_results,
    clippy::all,
    clippy::pedantic
)]

use mcp_runtime::prelude::*;

/// What a model may do.
#[derive(Clone, Debug, PartialEq, SampleTools)]
pub enum Strategy {
    /// Attack.
    Attack {
        /// Which cell.
        cell: u8,
        /// Why.
        #[serde(default)]
        reasoning: Option<String>,
        /// How often.
        #[serde(default = "once", alias = "turns")]
        times: u32,
        /// With what.
        arms: Vec<Arm>,
    },
    /// Look something up.
    Search(Query),
    /// Resign.
    #[deprecated = "use `Attack`"]
    Resign,
}

/// An arm.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
pub struct Arm(u8);

/// A query.
#[derive(Clone, Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
pub struct Query {
    text: String,
}

fn once() -> u32 {
    1
}

/// Uses all of it.
pub fn main() {
    drop(Strategy::tools());
    let query = Query { text: String::new() };
    drop(Strategy::Search(query.clone()));
    drop(query.text);
    let _ = Arm(0).0;
}
