//! Removes internal values from texts.
//!
//! The text of an error can contain a whole value, as JSON or in the form of `{:?}`. Fields can be removed from JSON,
//! but not from a text. So the value after each internal name is replaced, up to its end. If the end is not certain,
//! too much is replaced rather than too little. A value without its name cannot be recognized.

use std::borrow::Cow;

const REPLACEMENT: &str = "…";

/// Replaces the value after each internal name in a text. A name is internal if it begins with `_` or if `internal`
/// contains the name.
pub(super) fn redact<'t>(text: &'t str, internal: &[String]) -> Cow<'t, str> {
    let mut redacted = String::new();
    let (mut written, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        let length = rest.find(|c: char| !is_of_name(c)).unwrap_or(rest.len());
        if length == 0 {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let name = &rest[..length];
        at += length;
        let is_internal = name.starts_with('_') || internal.iter().any(|one| one == name);
        if is_internal && let Some(start) = value_after(&text[at..]) {
            redacted.push_str(&text[written..at + start]);
            redacted.push_str(REPLACEMENT);
            at += start + value_length(&text[at + start..]);
            written = at;
        }
    }
    if written == 0 {
        return Cow::Borrowed(text);
    }
    redacted.push_str(&text[written..]);
    Cow::Owned(redacted)
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// Returns where the value begins, if a value follows a name: `: 1`, `=1`, `": 1`.
fn value_after(text: &str) -> Option<usize> {
    let after_quote = text.trim_start_matches('\\').trim_start_matches(['"', '\'', '`']);
    let sign = after_quote.trim_start();
    let value = match sign.strip_prefix(':') {
        // Two colons are part of a path, such as `a::b`.
        Some(value) if !value.starts_with(':') => value,
        Some(_) => return None,
        None => sign.strip_prefix('=')?.trim_start_matches(['=', '>']),
    };
    Some(text.len() - value.trim_start().len())
}

/// Returns the length of the value at the start of the text.
fn value_length(text: &str) -> usize {
    let (mut open, mut backslashes) = (0_usize, 0_usize);
    // Inside a string: the number of backslashes before its quotes, because JSON can stand inside a JSON string.
    let mut string: Option<usize> = None;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        match (c, string) {
            ('"', Some(level)) if ends_string(backslashes, level) => string = None,
            ('"', None) => string = Some(backslashes),
            (_, Some(_)) => {}
            ('\'', None) => at += char_literal(&text[at..]),
            ('{' | '[' | '(', None) => open += 1,
            ('}' | ']' | ')' | ',' | ';' | '\n', None) if open == 0 => return at,
            ('}' | ']' | ')', None) => open -= 1,
            _ => {}
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
    text.len()
}

/// Returns whether a quote after this many backslashes ends a string whose quotes have `level` backslashes.
fn ends_string(backslashes: usize, level: usize) -> bool {
    match backslashes.checked_sub(level) {
        // Each backslash of the string itself is written as `level + 1` backslashes.
        Some(more) => (more / (level + 1)).is_multiple_of(2),
        None => true,
    }
}

/// Returns the length of a `char` in the form of `{:?}` without its last quote, or 0.
fn char_literal(text: &str) -> usize {
    let inside = &text[1..];
    let escape = usize::from(inside.starts_with('\\'));
    let length = inside[escape..].chars().next().map_or(0, char::len_utf8);
    let end = 1 + escape + length;
    if text[end..].starts_with('\'') { end } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_values_after_internal_names() {
        let internal = ["lease".to_owned()];
        for (text, expected) in [
            (
                r#"bad run Run { id: 1, _token: "a, b", lease: Some(Lease("x")), n: 2 }"#,
                "bad run Run { id: 1, _token: …, lease: …, n: 2 }",
            ),
            (r#"{"id":1,"_token":{"a":["}"]},"lease":"x\"y","n":2}"#, r#"{"id":1,"_token":…,"lease":…,"n":2}"#),
            (r#"{\"_token\":\"a, \\\"b\\\", c\\\\\",\"n\":2}"#, r#"{\"_token\":…,\"n\":2}"#),
            (r#"_token: ('}', "x"), n: 2"#, "_token: …, n: 2"),
            (r#""{\"_token\":\"abc\",\"n\":2}""#, r#""{\"_token\":…,\"n\":2}""#),
            ("failed with _token=abc def; retry", "failed with _token=…; retry"),
            ("_a::b is a path", "_a::b is a path"),
            ("lease 7 is taken", "lease 7 is taken"),
        ] {
            assert_eq!(redact(text, &internal), expected);
        }
    }

    #[test]
    fn replaces_up_to_the_end_if_the_end_is_unknown() {
        assert_eq!(redact("_a: [1, 2", &[]), "_a: …");
        assert_eq!(redact("_a: \"x, y", &[]), "_a: …");
    }
}
