//! The schemas of tools: how they are published and enforced.
//!
//! Each module uses only those before it in this table.
//!
//! | module | purpose |
//! | --- | --- |
//! | [`nearest`] | misspelled words |
//! | [`value`] | JSON values that are read once and compared as JSON Schema does |
//! | [`keyword`], [`refs`], [`example`], [`foreign`] | keywords, `$ref`s, generated arguments, the crate `jsonschema` |
//! | [`mod@format`] | the formats of strings and numbers |
//! | [`compile`] | the compiled form of a schema, which is exact |
//! | [`check`] | checks a value, and describes all errors to a model |
//! | [`normalize`] | rewrites arguments that differ from the schema in one of a few harmless ways |
//! | [`shape`], [`portable`] | the published form, which hosts can convert for the API of their model |
//! | [`parameter`] | the parameters of a tool: how they are described and read |
//! | [`input`] | the schemas of arguments and of results. Tests the author's types when the server is built |
//!
//! A schema comes from schemars or is written by the author. This module enforces most keywords of draft 2020-12, and
//! the formats of [`mod@format`]. The crate `jsonschema` enforces the others: `pattern`, less common formats and
//! `unevaluated…`. Without the feature `jsonschema`, a schema with one of these is rejected.

mod check;
mod compile;
pub(crate) mod example;
mod foreign;
pub(crate) mod format;
mod input;
mod keyword;
pub(crate) mod nearest;
mod normalize;
pub(crate) mod parameter;
pub(crate) mod portable;
mod refs;
mod shape;
mod value;

pub(crate) use self::{
    check::{
        defaults::drop_of_other_types,
        violations::{ValueStep, Violation, Violations},
    },
    input::{InputSchema, InputSettings, output::OutputSchema, reader::has_parts},
    value::types::Types,
};

#[cfg(test)]
mod tests;
