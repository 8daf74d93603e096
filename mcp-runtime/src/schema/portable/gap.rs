//! What a published schema cannot say.

/// A part of an input schema that some hosts cannot convert for the API of their model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    /// The place of the value in the arguments, such as `filter.dates[]`. Empty for the arguments themselves.
    pub(crate) at: String,
    pub(crate) kind: GapKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GapKind {
    AnyValue,
    Map,
    Recursion,
    Union,
    /// A rule that is enforced, but that no plain keyword says.
    Rule(&'static str),
}

impl std::fmt::Display for Gap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &*self.at {
            "" => f.write_str("the arguments ")?,
            at => write!(f, "`{at}` ")?,
        }
        match self.kind {
            GapKind::AnyValue => f.write_str("can be any value"),
            GapKind::Map => f.write_str("is a map"),
            GapKind::Recursion => f.write_str("is recursive"),
            GapKind::Union => f.write_str("is a union"),
            GapKind::Rule(keyword) => write!(f, "has the rule `{keyword}`"),
        }
    }
}
