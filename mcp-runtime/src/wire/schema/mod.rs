//! The schemas of tools: how they are published and enforced.
//!
//! A schema comes from schemars or is written by the author. Its references are inlined ([`refs`]), its root becomes an
//! object ([`shape`]), and it is compiled ([`compile`]). The compiled form is exact: it checks arguments ([`check`]) and
//! describes all errors to a model ([`messages`]). What the server publishes is a form of the schema that hosts can
//! convert for the API of their model ([`portable`]). Arguments that differ from the schema in one of a few harmless ways
//! are rewritten before they are read ([`normalize`]).
//!
//! When the server is built, the schema itself is checked: its defaults ([`defaults`]), the names of variants
//! ([`collisions`]), and the names that its types accept ([`reader`], tested with an [`example`]).
//!
//! This module enforces most keywords of draft 2020-12, and the
//! formats of [`mod@format`]. The crate `jsonschema` enforces the others: `pattern`, less common formats and
//! `unevaluated…` ([`foreign`]). Without the feature `jsonschema`, a schema with one of these is rejected.

mod beyond;
mod check;
mod collisions;
mod compile;
pub(crate) mod defaults;
pub(crate) mod example;
mod foreign;
pub(crate) mod format;
#[cfg(feature = "http")]
mod headers;
mod input;
mod instance;
mod keyword;
mod messages;
mod name_index;
mod names;
pub(crate) mod nearest;
mod node;
mod normalize;
mod number;
pub(crate) mod object;
mod output;
mod panicking;
pub(crate) mod parameter;
pub(crate) mod portable;
mod query;
pub(crate) mod reader;
mod reading;
mod refs;
mod report;
mod shape;
pub(crate) mod takes;
pub(crate) mod types;
mod union;
mod violations;

use std::hash::BuildHasher;

pub(crate) use self::{
    input::InputSchema,
    output::OutputSchema,
    violations::{ValueStep, Violation, Violations},
};
use self::{instance::Instance, portable::SchemaStyle};

/// How the server publishes input schemas and reads arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputSettings {
    pub(crate) style: SchemaStyle,
    /// Whether a string that contains JSON is read as this JSON, where the schema allows no string.
    pub(crate) reads_json_strings: bool,
}

impl Default for InputSettings {
    fn default() -> Self {
        Self { style: SchemaStyle::Portable, reads_json_strings: true }
    }
}

/// Returns a hash that is equal for equal arguments in any notation, and most likely different for different arguments.
pub(crate) fn fingerprint(arguments: &str, keys: &impl BuildHasher) -> u64 {
    // Text that is not JSON was rejected before.
    Instance::read(arguments).map_or(0, |(value, _)| value.fingerprint(keys))
}

#[cfg(test)]
mod tests;
