//! Shows two texts that should be equal, and marks where they differ.

use std::fmt::Display;

use crate::wire::protocol::revision::Revision;

/// Two texts that differ, and a description of what the texts are.
#[derive(Debug)]
pub(crate) struct Difference {
    pub(crate) what: String,
    pub(crate) texts: [String; 2],
}

/// How many characters are shown before and after the first difference.
const BEFORE: usize = 40;
const AFTER: usize = 60;

impl Difference {
    pub(crate) fn new(what: impl Into<String>, first: &dyn Display, second: &dyn Display) -> Self {
        Self { what: what.into(), texts: [first.to_string(), second.to_string()] }
    }

    /// Shows the texts one below the other with their labels, and marks the first difference.
    pub(crate) fn shown(&self, labels: [&str; 2]) -> String {
        let [first, second] = self.texts.each_ref().map(|text| text.chars().collect::<Vec<_>>());
        let same = first.iter().zip(&second).take_while(|(first, second)| first == second).count();
        let start = if same > BEFORE + 20 { same - BEFORE } else { 0 };
        let width = labels.map(|label| label.chars().count()).into_iter().max().unwrap_or_default() + 1;
        let line = |label: &str, text: &[char]| {
            let end = text.len().min(same + AFTER);
            let excerpt: String = text[start.min(end)..end].iter().collect();
            let (cut, more) = (if start > 0 { "…" } else { "" }, if end < text.len() { "…" } else { "" });
            format!("  {:width$} {cut}{excerpt}{more}\n", format!("{label}:"))
        };
        let mark = 2 + width + 1 + usize::from(start > 0) + same - start;
        format!("{}{}{}^", line(labels[0], &first), line(labels[1], &second), " ".repeat(mark))
    }
}

/// How similar two questions must be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Alike {
    /// Compares questions of two runs of the same call. The questions must be equal in every part.
    Entirely,
    /// Compares questions of two calls. The questions must look equal to a user. Only the URL of a page can differ.
    ToReaders,
    /// Compares questions of two calls in different revisions. The questions must have the same meaning.
    ByMeaning,
}

impl Alike {
    /// Returns how similar the questions of two calls must be. The clients of the calls have these revisions.
    pub(crate) fn between(first: Revision, second: Revision) -> Self {
        if first.has_titled_choices() == second.has_titled_choices() { Self::ToReaders } else { Self::ByMeaning }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_the_first_difference() {
        let short = Difference::new("", &"\"to Lisbon\"", &"\"to London\"").shown(["once", "and again"]);
        assert_eq!(short, "  once:      \"to Lisbon\"\n  and again: \"to London\"\n                  ^");

        let (same, tail) = ("é".repeat(100), "x".repeat(100));
        let long = Difference::new("", &format!("{same}a{tail}"), &format!("{same}b")).shown(["1", "2"]);
        let lines: Vec<_> = long.lines().collect();
        assert_eq!(lines[0], format!("  1: …{}a{}…", "é".repeat(40), "x".repeat(59)));
        assert_eq!(lines[1], format!("  2: …{}b", "é".repeat(40)));
        assert_eq!(lines[2].chars().count() - 1, lines[1].chars().count() - 1);

        let none = Difference::new("", &"", &"asked").shown(["1", "2"]);
        assert_eq!(none, "  1: \n  2: asked\n     ^");
    }
}
