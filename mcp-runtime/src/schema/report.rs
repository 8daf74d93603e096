//! What a check has found so far, and where in the arguments it is.

use std::fmt::{self, Display};

use super::instance::Instance;

/// Why a check runs: only what the purpose needs is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Do the arguments fit? The first failure is enough.
    Verdict,
    /// How badly do they fail? Each failure counts by its kind.
    Score,
    /// What is wrong, in words?
    Words,
}

/// How much a failure says that another branch of a union was meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// A detail: a bound, a length, a format.
    Detail = 10,
    /// A property is missing or unknown.
    Shape = 20,
    /// Another of the fixed values.
    Literal = 40,
    /// Another type altogether.
    Type = 50,
}

/// What a check has found so far.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) purpose: Purpose,
    pub(super) score: u32,
    /// The first violations, one line each.
    pub(super) lines: Vec<String>,
    /// How many violations there are.
    pub(super) total: usize,
    /// How many more schemas may be applied to values.
    pub(super) steps: u64,
}

impl Report {
    /// As many violations as are told; the rest is counted.
    pub(super) const TOLD: usize = 10;

    pub(super) fn new(steps: u64) -> Self {
        Self { purpose: Purpose::Verdict, score: 0, lines: Vec::new(), total: 0, steps }
    }

    /// Notes a failure. The words are made only when they are wanted.
    pub(super) fn fail(&mut self, path: &Path<'_>, weight: Weight, words: impl FnOnce() -> String) {
        self.add(path, weight as u32 * 100);
        if self.purpose == Purpose::Words {
            self.total += 1;
            if self.lines.len() < Self::TOLD {
                let line = words();
                // Two branches of `allOf` may say the same.
                if self.lines.contains(&line) {
                    self.total -= 1;
                } else {
                    self.lines.push(line);
                }
            }
        }
    }

    /// Counts a failure of that weight at that place.
    pub(super) fn add(&mut self, path: &Path<'_>, weight: u32) {
        // What is wrong further inside says less about which branch was meant.
        let weight = (weight >> (2 * path.depth.min(4))).max(1);
        self.score = self.score.saturating_add(weight);
    }

    /// Whether nothing more can change what is wanted.
    pub(super) fn is_decided(&self) -> bool {
        (self.purpose == Purpose::Verdict && self.score > 0) || self.steps == 0
    }

    pub(super) fn step(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps > 0
    }
}

/// Where in the arguments a value is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    step: Step<'p>,
    /// How many steps it is away from where the check began: for [`Report::fail`].
    depth: u32,
    /// What the author says about this place.
    pub(super) hint: Option<&'p str>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'p> {
    Root,
    Key(&'p str),
    Index(usize),
}

impl<'p> Path<'p> {
    pub(super) const ROOT: Path<'static> = Path { parent: None, step: Step::Root, depth: 0, hint: None };

    pub(super) fn key(&'p self, key: &'p str) -> Self {
        Self { parent: Some(self), step: Step::Key(key), depth: self.depth + 1, hint: None }
    }

    pub(super) fn index(&'p self, index: usize) -> Self {
        Self { parent: Some(self), step: Step::Index(index), depth: self.depth + 1, hint: self.hint }
    }

    pub(super) fn with_hint(self, hint: Option<&'p str>) -> Self {
        Self { hint: hint.or(self.hint), ..self }
    }

    /// The same place, as the beginning of a comparison of branches.
    pub(super) fn as_beginning(self) -> Self {
        Self { depth: 0, ..self }
    }
}

/// `filters.dates[2].from`
impl Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
        }
        let first = self.parent.is_none_or(|parent| matches!(parent.step, Step::Root));
        match self.step {
            Step::Root => Ok(()),
            Step::Index(index) => write!(f, "[{index}]"),
            Step::Key(key) if !is_plain(key) => write!(f, "[{}]", Instance::String(key.into()).shortened()),
            Step::Key(key) if first => f.write_str(key),
            Step::Key(key) => write!(f, ".{key}"),
        }
    }
}

impl Path<'_> {
    /// How a line begins.
    pub(super) fn named(&self) -> String {
        match self.step {
            Step::Root => "the arguments".to_owned(),
            _ => format!("`{self}`"),
        }
    }
}

fn is_plain(key: &str) -> bool {
    const LONGEST: usize = 64;
    !key.is_empty()
        && key.chars().count() <= LONGEST
        && key.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-' | '$'))
}
