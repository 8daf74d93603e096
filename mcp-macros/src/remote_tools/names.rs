//! Rust names for what the other server names as it likes.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, Span};

use crate::words::{ident, words};

/// The names of one scope.
#[derive(Default)]
pub(super) struct Names {
    taken: HashSet<String>,
    /// The number that a name gets if it is the same as another one.
    next: HashMap<String, usize>,
}

impl Names {
    /// Reserves a name that the scope has in any case.
    pub(super) fn with(name: &str) -> Self {
        Self { taken: HashSet::from([name.to_owned()]), ..Self::default() }
    }

    /// Returns this name, with a number if another one in the scope is the same.
    pub(super) fn distinct(&mut self, name: &str) -> Ident {
        // `V1_2` is the second `V1`.
        let between = if name.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        let mut ident = created(name);
        // The compiler changes names into a normal form, so they are compared as identifiers.
        while !self.taken.insert(ident.to_string()) {
            let number = self.next.entry(name.to_owned()).or_insert(1);
            *number += 1;
            ident = created(&format!("{name}{between}{number}"));
        }
        ident
    }
}

/// Returns the name of a type or a variant, such as `CreateIssue`. `noun` begins a name that could not begin otherwise.
pub(super) fn type_name(name: &str, noun: &str) -> String {
    let name = joined(words(name).iter().map(|word| capitalized(word)), "");
    if is_identifier(&name) { name } else { format!("{noun}{name}") }
}

/// Returns the name of a field, such as `issue_number`. It can be a keyword.
pub(super) fn field_name(name: &str) -> String {
    let name = joined(words(name).iter().map(|word| word.to_lowercase()), "_");
    if name.is_empty() {
        "field".to_owned()
    } else if is_identifier(&format!("{name}_")) {
        name
    } else {
        format!("field_{name}")
    }
}

fn created(name: &str) -> Ident {
    ident(name, &Ident::new("unnamed", Span::call_site()))
}

/// Returns whether a text is an identifier, and not a keyword.
fn is_identifier(text: &str) -> bool {
    syn::parse_str::<Ident>(text).is_ok()
}

/// Joins words, without letters that no identifier has. Between two digits, there is always an underscore: `1.5` is not
/// `15`.
fn joined(words: impl Iterator<Item = String>, between: &str) -> String {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    words.fold(String::new(), |mut name, mut word| {
        word.retain(|c| c.is_ascii_alphanumeric() || is_identifier(&format!("a{c}")));
        if !name.is_empty() {
            let digits = digit(name.chars().last()) && digit(word.chars().next());
            name.push_str(if digits { "_" } else { between });
        }
        name + &word
    })
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters.flat_map(char::to_lowercase)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_rust() {
        for (name, field, ty) in [
            ("create_issue", "create_issue", "CreateIssue"),
            ("get-sum", "get_sum", "GetSum"),
            ("github.createIssue", "github_create_issue", "GithubCreateIssue"),
            ("HTTPPort", "http_port", "HttpPort"),
            ("self", "self", "ToolSelf"),
            ("3d", "field_3d", "Tool3d"),
            ("v1.5", "v1_5", "V1_5"),
            ("größe", "größe", "Größe"),
            ("名前", "名前", "名前"),
            (">=", "field", "Tool"),
            ("", "field", "Tool"),
            ("a²", "a", "A"),
        ] {
            assert_eq!((&*field_name(name), &*type_name(name, "Tool")), (field, ty), "{name}");
        }
    }

    #[test]
    fn names_of_a_scope_are_distinct_identifiers() {
        let mut names = Names::with("other");
        let found: Vec<_> = ["a", "a", "type", "self", "other", "v1", "v1", "v1_2", "名前"]
            .map(|name| names.distinct(name).to_string())
            .into();
        let expected = ["a", "a2", "r#type", "self_", "other2", "v1", "v1_2", "v1_2_2", "名前"];
        assert_eq!(found, expected);
    }
}
