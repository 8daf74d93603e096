//! The errors that a check has found, and their places in the arguments.

use super::{
    known_scores::KnownScores,
    violations::{ValuePath, ValueStep, Violation, Violations},
};

/// The purpose of a check, which determines how much work the check does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CheckPurpose {
    /// Finds out whether the arguments match the schema. Stops at the first failure.
    Verdict,
    /// Adds up the weights of all failures, to find the branch of a union that fits best. See [`Weight`].
    Score,
    /// Writes the error messages.
    Words,
}

/// The weight of a failure: how strongly it suggests that another branch of a union was meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// A value violates a limit, a length or a format.
    Detail = 10,
    /// A property is missing or unknown.
    Shape = 20,
    /// A value is not one of the listed values.
    Literal = 40,
    /// A value has another type.
    Type = 50,
}

/// The result of a check.
#[derive(Debug)]
pub(crate) struct CheckReport {
    pub(crate) purpose: CheckPurpose,
    pub(crate) score: u32,
    pub(crate) violations: Violations,
    /// A limit for the work of the check: how many more schemas it can apply to values. At 0 the check stops.
    pub(crate) steps: u64,
    /// The scores that are known, if errors are explained.
    pub(super) known: Option<KnownScores>,
}

impl CheckReport {
    pub(crate) fn new(steps: u64) -> Self {
        Self { purpose: CheckPurpose::Verdict, score: 0, violations: Violations::default(), steps, known: None }
    }

    /// Records a failure. The message is created only if it is needed.
    pub(crate) fn fail(&mut self, path: &Path<'_>, weight: Weight, words: impl FnOnce() -> Violation) {
        if self.count(path, weight) {
            self.violations.list(words());
        }
    }

    /// Counts a failure. Returns whether it needs a message.
    fn count(&mut self, path: &Path<'_>, weight: Weight) -> bool {
        self.add(path, weight as u32 * 100);
        self.purpose == CheckPurpose::Words && self.violations.has_room()
    }

    /// Adds a failure of that weight at that place to the score.
    pub(crate) fn add(&mut self, path: &Path<'_>, weight: u32) {
        // A deeply nested failure is weaker evidence that another branch was meant.
        let weight = (weight >> (2 * path.depth.min(4))).max(1);
        self.score = self.score.saturating_add(weight);
    }

    /// Returns whether the result is already known, so that the check can stop.
    pub(crate) fn is_decided(&self) -> bool {
        (self.purpose == CheckPurpose::Verdict && self.score > 0) || self.steps == 0
    }

    pub(crate) fn step(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps > 0
    }
}

/// The place of a value in the arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    step: PathStep<'p>,
    /// The depth of the value in the arguments, for [`CheckReport::fail`].
    depth: u32,
    /// The author's description of this place.
    pub(crate) hint: Option<&'p str>,
}

#[derive(Clone, Copy, Debug)]
enum PathStep<'p> {
    Root,
    Key(&'p str),
    Index(usize),
}

impl<'p> Path<'p> {
    pub(crate) const ROOT: Path<'static> = Path { parent: None, step: PathStep::Root, depth: 0, hint: None };

    pub(crate) fn key(&'p self, key: &'p str) -> Self {
        Self { parent: Some(self), step: PathStep::Key(key), depth: self.depth + 1, hint: None }
    }

    pub(crate) fn index(&'p self, index: usize) -> Self {
        Self { parent: Some(self), step: PathStep::Index(index), depth: self.depth + 1, hint: self.hint }
    }

    pub(crate) fn with_hint(self, hint: Option<&'p str>) -> Self {
        Self { hint: hint.or(self.hint), ..self }
    }

    /// Returns the same place with the depth 0. Depths of inner values are then counted from this value.
    pub(crate) fn as_beginning(self) -> Self {
        Self { depth: 0, ..self }
    }
}

impl Path<'_> {
    /// Returns the place of the value.
    pub(crate) fn place(&self) -> ValuePath {
        let mut place = self.parent.map(Path::place).unwrap_or_default();
        match self.step {
            PathStep::Root => {}
            PathStep::Key(key) => place.0.push(ValueStep::Key(key.to_owned())),
            PathStep::Index(index) => place.0.push(ValueStep::Index(index)),
        }
        place
    }
}
