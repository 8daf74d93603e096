//! Members of an object that stand in it twice. JSON does not say which of them is meant, and readers differ: what one
//! program checks, another would not act upon. So they are refused.

use std::{borrow::Cow, collections::HashSet};

use super::scan::Scanner;

/// The first name that comes twice.
#[inline]
pub(crate) fn repeated<S: AsRef<str>>(names: &[S]) -> Option<&str> {
    if names.len() < 2 { None } else { find_repeated(names) }
}

fn find_repeated<S: AsRef<str>>(names: &[S]) -> Option<&str> {
    // As many as are compared each with each; more are not, or a long object would take its square.
    const FEW: usize = 16;
    let name = |at: usize| names[at].as_ref();
    if names.len() <= FEW {
        return (1..names.len()).find(|at| (0..*at).any(|earlier| name(earlier) == name(*at))).map(name);
    }
    let mut known = HashSet::with_capacity(names.len());
    (0..names.len()).find(|at| !known.insert(name(*at))).map(name)
}

/// The first name that comes twice in this object, if it is one.
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
    fn a_name_that_comes_twice_is_found_however_it_is_spelt_and_however_many_there_are() {
        assert_eq!(repeated_member(r#"{"a": {"b": 1, "b": 2}, "b": 3}"#), None, "only this object");
        assert_eq!(repeated_member(r#"{"a": 1, "b": 2, "\u0061": 3}"#).as_deref(), Some("a"));
        assert_eq!(repeated_member("[1]"), None);
        let many = (0..100_000).map(|at| format!("\"k{at}\":0,")).collect::<String>();
        assert_eq!(repeated_member(&format!("{{{many}\"z\":0}}")), None);
        assert_eq!(repeated_member(&format!("{{{many}\"k7\":0}}")).as_deref(), Some("k7"));
    }
}
