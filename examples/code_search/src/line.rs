//! One line of a file in a result.

use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use schemars::JsonSchema;
use serde::Serialize;

/// A line that matches, or one near such a line.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Line {
    /// The number of the line, counting from 1.
    pub(crate) line: u64,
    /// Its text without the line break. A long line is cut down to what surrounds the first match, with `…` where
    /// something was left out.
    pub(crate) text: String,
    /// Where `text` matches. A line without matches is shown for context.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) matches: Vec<Span>,
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Span {
    /// How many characters are before the part.
    pub(crate) start: usize,
    /// How many characters are before the end of the part.
    pub(crate) end: usize,
}

/// The maximum number of characters shown of one line.
const WIDTH: usize = 400;

/// How many of these characters are before the first match, if a line is cut.
const BEFORE: usize = 80;

/// The maximum number of matches shown of one line.
const SPANS: usize = 16;

impl Line {
    /// Creates a line that matches.
    pub(crate) fn matching(number: u64, bytes: &[u8], matcher: &RegexMatcher) -> Self {
        let bytes = without_line_break(bytes);
        let characters = |end: usize| String::from_utf8_lossy(&bytes[..end]).chars().count();
        let mut spans = Vec::new();
        // This matcher cannot fail: its error type has no values.
        let _never = matcher.find_iter(bytes, |found| {
            spans.push(Span { start: characters(found.start()), end: characters(found.end()) });
            spans.len() < SPANS
        });
        Self::cut(number, bytes, spans)
    }

    /// Creates a line of the context of a match.
    pub(crate) fn context(number: u64, bytes: &[u8]) -> Self {
        Self::cut(number, without_line_break(bytes), Vec::new())
    }

    fn cut(line: u64, bytes: &[u8], mut matches: Vec<Span>) -> Self {
        let whole = String::from_utf8_lossy(bytes);
        let length = whole.chars().count();
        if length <= WIDTH {
            return Self { line, text: whole.into_owned(), matches };
        }
        let first = matches.first().map_or(0, |span| span.start.saturating_sub(BEFORE));
        let last = length.min(first + WIDTH);
        let mut text = String::new();
        if first > 0 {
            text.push('…');
        }
        let shift = first - text.chars().count();
        text.extend(whole.chars().take(last).skip(first));
        if last < length {
            text.push('…');
        }
        matches.retain(|span| span.start < last);
        for span in &mut matches {
            *span = Span { start: span.start - shift, end: span.end.min(last) - shift };
        }
        Self { line, text, matches }
    }
}

fn without_line_break(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.strip_suffix(b"\r").unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, pattern: &str) -> Line {
        Line::matching(7, text.as_bytes(), &RegexMatcher::new(pattern).unwrap())
    }

    #[test]
    fn spans_count_characters_not_bytes() {
        let line = line("größe = größer\r\n", "größe");
        assert_eq!(line.text, "größe = größer");
        assert_eq!(line.matches, [Span { start: 0, end: 5 }, Span { start: 8, end: 13 }]);
    }

    #[test]
    fn invalid_utf8_is_replaced() {
        let line = Line::matching(1, b"a\xff needle", &RegexMatcher::new("needle").unwrap());
        assert_eq!((line.text.as_str(), line.matches[0]), ("a\u{fffd} needle", Span { start: 3, end: 9 }));
    }

    #[test]
    fn a_long_line_is_cut_around_its_first_match() {
        let text = format!("{}needle{}needle", "ä".repeat(1000), "ö".repeat(1000));
        let line = line(&text, "needle");
        assert_eq!(line.text.chars().count(), WIDTH + 2);
        assert!(line.text.starts_with('…') && line.text.ends_with('…'));
        let [Span { start, end }] = line.matches[..] else { panic!("{:?}", line.matches) };
        assert_eq!(line.text.chars().take(end).skip(start).collect::<String>(), "needle");
    }

    #[test]
    fn a_match_in_a_cut_line_ends_at_the_cut() {
        let line = line(&"x".repeat(2 * WIDTH), "x+");
        assert_eq!(line.matches, [Span { start: 0, end: WIDTH }]);
    }

    #[test]
    fn a_line_shows_a_bounded_number_of_matches() {
        assert_eq!(line(&"x".repeat(100), "x").matches.len(), SPANS);
        assert_eq!(line(&"x".repeat(100), "y*").matches.len(), SPANS);
    }
}
