//! The errors of the arguments of a call, as the model reads them.

use std::{
    error::Error,
    fmt::{self, Display},
};

use crate::wire::schema::value::instance::Instance;

/// The place of a value in the arguments: the keys and indexes that lead to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ValuePath(pub(crate) Vec<ValueStep>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ValueStep {
    Key(String),
    Index(usize),
}

/// One error of the arguments of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Violation {
    pub(crate) place: ValuePath,
    /// What is wrong at this place.
    pub(crate) what: String,
}

/// All errors of the arguments of a call.
#[derive(Debug)]
pub(crate) struct Violations {
    listed: Vec<Violation>,
    /// The number of errors that are not listed.
    more: usize,
}

impl ValuePath {
    /// Reads a JSON pointer of the crate `jsonschema`.
    pub(crate) fn of_pointer(pointer: &str) -> Self {
        let step = |step: &str| match step.parse() {
            Ok(index) => ValueStep::Index(index),
            Err(_) => ValueStep::Key(step.replace("~1", "/").replace("~0", "~")),
        };
        Self(pointer.split('/').skip(1).map(step).collect())
    }

    /// Returns whether this is the place of the arguments as a whole.
    pub(crate) fn is_whole(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the argument that contains the place, and the steps from this argument to the place. Returns `None` for
    /// the arguments as a whole.
    pub(crate) fn argument(&self) -> Option<(&str, &[ValueStep])> {
        match self.0.split_first()? {
            (ValueStep::Key(name), inside) => Some((name, inside)),
            (ValueStep::Index(_), _) => None,
        }
    }

    /// Returns the path in the form `filters.dates[2].from`. It is empty for the arguments as a whole.
    pub(crate) fn path(&self) -> String {
        let mut path = String::new();
        for step in &self.0 {
            match step {
                ValueStep::Index(index) => path.push_str(&format!("[{index}]")),
                ValueStep::Key(key) if !is_plain(key) => {
                    path.push_str(&format!("[{}]", Instance::String(key.into()).shortened()));
                }
                ValueStep::Key(key) if path.is_empty() => path.push_str(key),
                ValueStep::Key(key) => path.push_str(&format!(".{key}")),
            }
        }
        path
    }
}

/// Writes the place as it appears at the start of an error message.
impl Display for ValuePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_whole() { f.write_str("the arguments") } else { write!(f, "`{}`", self.path()) }
    }
}

impl Violation {
    /// Creates an error of the arguments as a whole.
    pub(crate) fn of_whole(what: impl Into<String>) -> Self {
        Self { place: ValuePath::default(), what: what.into() }
    }
}

impl Violations {
    pub(crate) fn one(violation: Violation) -> Self {
        Self { listed: vec![violation], more: 0 }
    }

    /// `total` is the number of all errors, also of those that are not listed.
    pub(crate) fn listed(listed: Vec<Violation>, total: usize) -> Self {
        Self { more: total - listed.len(), listed }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Violation> {
        self.listed.iter()
    }

    /// Returns one text for each error, and one for those that are not listed.
    pub(crate) fn texts(&self) -> Vec<String> {
        let more = (self.more > 0).then(|| format!("and {} more", self.more));
        self.listed.iter().map(Violation::to_string).chain(more).collect()
    }

    /// Replaces each error by the one of `sent` about the same place, if there is one. `sent` are the errors of the same
    /// arguments before they were normalized.
    pub(crate) fn in_words_of(mut self, sent: &Self) -> Self {
        for violation in self.listed.iter_mut().filter(|violation| !sent.listed.contains(violation)) {
            let about = sent.listed.iter().find(|sent| sent.place == violation.place);
            about.into_iter().for_each(|sent| violation.clone_from(sent));
        }
        self.listed.dedup();
        self
    }

    /// Returns the same list, with the text of each error that `words` returns.
    pub(crate) fn reworded(&self, words: impl Fn(&Violation) -> String) -> String {
        let mut text: Vec<_> = self.listed.iter().map(|violation| format!("- {}", words(violation))).collect();
        if self.more > 0 {
            text.push(format!("- and {} more", self.more));
        }
        text.join("\n")
    }
}

impl Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

impl Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reworded(Violation::to_string))
    }
}

impl Error for Violations {}

fn is_plain(key: &str) -> bool {
    const LONGEST: usize = 64;
    !key.is_empty()
        && key.chars().count() <= LONGEST
        && key.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-' | '$'))
}
