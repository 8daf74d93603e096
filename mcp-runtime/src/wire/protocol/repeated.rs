//! Detects repeated members of an object. If a name is repeated, JSON does not define which value is valid. If two
//! programs use different values, one program checks a value that the other ignores. So the server rejects objects with
//! repeated members.

use std::{borrow::Cow, collections::HashSet};

use super::scan::Scanner;

/// Returns the first name that appears twice.
#[inline]
pub(crate) fn repeated<S: AsRef<str>>(names: &[S]) -> Option<&str> {
    if names.len() < 2 { None } else { find_repeated(names) }
}

fn find_repeated<S: AsRef<str>>(names: &[S]) -> Option<&str> {
    // Up to this many names are compared in pairs. Beyond that, the time would grow with the square of the count.
    const FEW: usize = 16;
    let name = |at: usize| names[at].as_ref();
    if names.len() <= FEW {
        return (1..names.len()).find(|at| (0..*at).any(|earlier| name(earlier) == name(*at))).map(name);
    }
    let mut known = HashSet::with_capacity(names.len());
    (0..names.len()).find(|at| !known.insert(name(*at))).map(name)
}

/// Returns the first member name that appears twice in a JSON object. Returns `None` for text that is not an object.
pub(crate) fn repeated_member(object: &str) -> Option<String> {
    let mut names: Vec<Cow<'_, str>> = Vec::new();
    let read = Scanner::new(object).object(|scanner, name| {
        names.push(name);
        scanner.value().map(drop)
    });
    read.ok()?;
    repeated(&names).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_repeated_name_in_any_spelling_and_at_any_size() {
        assert_eq!(repeated_member(r#"{"a": {"b": 1, "b": 2}, "b": 3}"#), None, "only this object");
        assert_eq!(repeated_member(r#"{"a": 1, "b": 2, "\u0061": 3}"#).as_deref(), Some("a"));
        assert_eq!(repeated_member("[1]"), None);
        let many = (0..100_000).map(|at| format!("\"k{at}\":0,")).collect::<String>();
        assert_eq!(repeated_member(&format!("{{{many}\"z\":0}}")), None);
        assert_eq!(repeated_member(&format!("{{{many}\"k7\":0}}")).as_deref(), Some("k7"));
    }
}
