//! What a script may load: strings with a URL after a call that loads, such as `fetch("https://…")`. This is a guess: a
//! script can compute its URLs, and the text can be in a part that never runs.

use super::{Found, ReferenceKind};

/// The text before a string that a script loads. The space before the string is left out.
const LOADS: [(&str, ReferenceKind); 11] = [
    ("fetch(", ReferenceKind::Connect),
    ("WebSocket(", ReferenceKind::Connect),
    ("EventSource(", ReferenceKind::Connect),
    ("sendBeacon(", ReferenceKind::Connect),
    ("import(", ReferenceKind::Resource),
    ("importScripts(", ReferenceKind::Resource),
    ("Worker(", ReferenceKind::Resource),
    ("import", ReferenceKind::Resource),
    ("from", ReferenceKind::Resource),
    (".src =", ReferenceKind::Resource),
    (".src=", ReferenceKind::Resource),
];

/// Adds what a script may load. `start` is the place of the script in the page.
pub(super) fn references(found: &mut Found, script: &str, start: usize) {
    let mut at = 0;
    while let Some(first) = script[at..].chars().next() {
        let rest = &script[at..];
        if rest.starts_with("//") {
            at = rest.find('\n').map_or(script.len(), |end| at + end);
        } else if rest.starts_with("/*") {
            at = rest.find("*/").map_or(script.len(), |end| at + end + 2);
        } else if matches!(first, '"' | '\'' | '`') {
            let end = end_of_string(script, at + 1, first);
            let before = script[..at].trim_end();
            if let Some((_, kind)) = LOADS.iter().find(|(text, _)| before.ends_with(text)) {
                // A template string is known only up to its first value.
                let url = script[at + 1..end].split("${").next().unwrap_or_default();
                found.add(*kind, url, start + at + 1, false);
            }
            at = (end + 1).min(script.len());
        } else {
            at += first.len_utf8();
        }
    }
}

/// Returns the place of the quote that ends the string. A string without one ends with its line, so that a quote in a
/// regular expression hides nothing after it.
fn end_of_string(script: &str, start: usize, quote: char) -> usize {
    let mut is_escaped = false;
    for (index, char) in script[start..].char_indices() {
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' if quote != '`' => return start + index,
            _ if char == quote => return start + index,
            _ => {}
        }
    }
    script.len()
}
