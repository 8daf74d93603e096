//! What a published schema cannot say.

use std::fmt;

/// A part of an input schema that some hosts cannot convert for the API of their model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SchemaGap {
    /// The place of the value in the arguments, such as `filter.dates[]`. Empty for the arguments themselves.
    pub(crate) at: String,
    pub(crate) kind: SchemaGapKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SchemaGapKind {
    AnyValue,
    Map,
    Recursion,
    Union,
    /// A rule that is enforced, but that no plain keyword says.
    Rule(&'static str),
}

impl SchemaGap {
    /// Describes the gap in the schema of a tool, such as "`labels` of `search` (a map)".
    pub(crate) fn of_tool(&self, tool: &str) -> String {
        let place = if self.at.is_empty() { "the arguments".to_owned() } else { format!("`{}`", self.at) };
        format!("{place} of `{tool}` ({})", self.kind)
    }
}

impl fmt::Display for SchemaGapKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnyValue => f.write_str("any value"),
            Self::Map => f.write_str("a map"),
            Self::Recursion => f.write_str("recursive"),
            Self::Union => f.write_str("a union"),
            Self::Rule(keyword) => write!(f, "the rule `{keyword}`"),
        }
    }
}
