//! What a style loads: `url(…)` and `@import`.

use super::{Found, ReferenceKind};

/// Adds what a style loads. `start` is the place of the style in the page.
pub(super) fn references(found: &mut Found, style: &str, start: usize) {
    let mut at = 0;
    // The at-rule in which the scanner is.
    let mut rule = "";
    while let Some(first) = style[at..].chars().next() {
        let rest = &style[at..];
        if rest.starts_with("/*") {
            at = rest.find("*/").map_or(style.len(), |end| at + end + 2);
        } else if first == '@' {
            let length = rest[1..].find(|char: char| !char.is_ascii_alphanumeric() && char != '-');
            let end = length.map_or(style.len(), |length| at + 1 + length);
            rule = &style[at + 1..end];
            at = end;
        } else if first == '"' || first == '\'' {
            let (text, after) = string(style, at, first);
            if rule.eq_ignore_ascii_case("import") {
                found.add(ReferenceKind::Resource, text, start + at + 1, true);
            }
            at = after;
        } else if is_url(style, at) {
            let inside =
                rest[4..].find(|char: char| !char.is_ascii_whitespace()).map_or(style.len(), |skip| at + 4 + skip);
            let (begins, text, after) = match style[inside..].chars().next() {
                Some(quote @ ('"' | '\'')) => {
                    let (text, after) = string(style, inside, quote);
                    (inside + 1, text, after)
                }
                _ => {
                    let end = style[inside..].find(')').map_or(style.len(), |end| inside + end);
                    (inside, style[inside..end].trim_end(), end)
                }
            };
            if !rule.eq_ignore_ascii_case("namespace") {
                found.add(ReferenceKind::Resource, text, start + begins, true);
            }
            at = after;
        } else {
            if matches!(first, ';' | '{' | '}') {
                rule = "";
            }
            at += first.len_utf8();
        }
    }
}

/// Returns whether `url(` begins here, and no longer name, such as `my-url(`.
fn is_url(style: &str, at: usize) -> bool {
    let begins = style[at..].get(..4).is_some_and(|text| text.eq_ignore_ascii_case("url("));
    let before = style[..at].chars().next_back();
    begins && before.is_none_or(|before| !before.is_ascii_alphanumeric() && before != '-' && before != '_')
}

/// Returns the string that begins with the quote at `at`, and the place after it.
fn string(style: &str, at: usize, quote: char) -> (&str, usize) {
    let end = style[at + 1..].find([quote, '\n']).map_or(style.len(), |end| at + 1 + end);
    (&style[at + 1..end], (end + 1).min(style.len()))
}
