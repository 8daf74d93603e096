//! The errors of the arguments of a call, as the model reads them.

use std::{
    error::Error,
    fmt::{self, Display},
};

/// All errors of the arguments of a call, one line each.
#[derive(Debug)]
pub(crate) struct Violations {
    lines: Vec<String>,
    /// The number of errors that are not listed.
    more: usize,
}

impl Violations {
    pub(crate) fn one(line: String) -> Self {
        Self { lines: vec![line], more: 0 }
    }

    /// `total` is the number of all errors, also of those that are not listed.
    pub(crate) fn listed(lines: Vec<String>, total: usize) -> Self {
        Self { more: total - lines.len(), lines }
    }

    /// Creates an error line from a JSON pointer and a message of the crate `jsonschema`.
    pub(crate) fn foreign_line(pointer: &str, what: &str) -> String {
        if pointer.is_empty() {
            return format!("the arguments: {what}");
        }
        let mut place = String::new();
        for step in pointer.split('/').skip(1) {
            match step.parse::<usize>() {
                Ok(index) => place.push_str(&format!("[{index}]")),
                Err(_) if place.is_empty() => place.push_str(step),
                Err(_) => place.push_str(&format!(".{step}")),
            }
        }
        format!("`{place}`: {what}")
    }

    /// Returns the errors, one line each. A line starts with the place of the error and a colon. The place is a path in
    /// backquotes, or the words `the arguments`.
    pub(crate) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Replaces each line by the line of `sent` about the same place, if there is one. `sent` are the errors of the same
    /// arguments before they were normalized.
    pub(crate) fn in_words_of(mut self, sent: &Self) -> Self {
        for line in self.lines.iter_mut().filter(|line| !sent.lines.contains(line)) {
            let about = sent.lines.iter().find(|sent| place(sent) == place(line));
            about.into_iter().for_each(|sent| line.clone_from(sent));
        }
        self.lines.dedup();
        self
    }

    /// Replaces each line by the result of `words`. A line starts with the place of the error and a colon. The place is
    /// a path in backquotes, or the words `the arguments`.
    pub(crate) fn reworded(&self, words: impl Fn(&str) -> String) -> Self {
        Self { lines: self.lines.iter().map(|line| words(line)).collect(), more: self.more }
    }
}

impl Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, line) in self.lines.iter().enumerate() {
            let separator = if at == 0 { "" } else { "\n" };
            write!(f, "{separator}- {line}")?;
        }
        if self.more > 0 {
            write!(f, "\n- and {} more", self.more)?;
        }
        Ok(())
    }
}

impl Error for Violations {}

/// Returns the place with which an error line starts.
fn place(line: &str) -> &str {
    let end = if line.starts_with('`') { "`: " } else { ": " };
    line.split_once(end).map_or(line, |(place, _)| place)
}
