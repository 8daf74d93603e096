//! What `check` has found.

use std::panic::Location;

use super::rules::CheckRule;

/// One place at which a rule is broken.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) rule: &'static CheckRule,
    pub(crate) subject: Subject,
    /// What was found, with the value. Follows the subject in a sentence: "tool `x`: the name has 70 characters".
    pub(crate) found: String,
}

/// What a finding is about.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// `tool`, `prompt`, `resource`, `skill`, `setting` or `server`.
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    /// Where the author has declared it, if that is known.
    pub(crate) place: Option<&'static Location<'static>>,
}

impl Subject {
    /// Returns the subject in words, such as "tool `search`".
    pub(crate) fn in_words(&self) -> String {
        format!("{} `{}`", self.kind, self.name)
    }
}

/// A broken rule, and what was found.
pub(crate) type Found = (&'static CheckRule, String);
