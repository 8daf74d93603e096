//! Checks text formats in constants. Every default accepted here is valid as an answer. A few unusual values (a quoted
//! e-mail address, an IPv6 host) are valid answers but not accepted as defaults.

use super::Format;

impl Format {
    /// Returns the format's name in messages.
    pub(super) const fn noun(self) -> &'static str {
        match self {
            Self::Email => "an e-mail address",
            Self::Uri => "an absolute URI",
            Self::Date => "a date",
            Self::DateTime => "a date and time with its offset",
        }
    }

    pub(super) const fn example(self) -> &'static str {
        match self {
            Self::Email => "name@example.com",
            Self::Uri => "https://example.com",
            Self::Date => "2026-01-31",
            Self::DateTime => "2026-01-31T14:30:00Z",
        }
    }

    pub(super) const fn accepts(self, text: &str) -> bool {
        let text = text.as_bytes();
        match self {
            Self::Email => email(text),
            Self::Uri => uri(text),
            Self::Date => text.len() == 10 && date(text),
            Self::DateTime => date_time(text),
        }
    }
}

/// Checks the first ten bytes: `2026-01-31`.
const fn date(text: &[u8]) -> bool {
    let (Some(century), Some(year)) = (pair(text, 0), pair(text, 2)) else { return false };
    let (Some(month), Some(day)) = (pair(text, 5), pair(text, 8)) else { return false };
    let leap = year % 4 == 0 && (year != 0 || century % 4 == 0);
    let days = match month {
        2 => 28 + leap as u8,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    text[4] == b'-' && text[7] == b'-' && 1 <= day && day <= days
}

/// Checks `2026-01-31T14:30:00.123+01:00`.
const fn date_time(text: &[u8]) -> bool {
    if text.len() < 20 || !date(text) || !matches!(text[10], b'T' | b't') || text[13] != b':' || text[16] != b':' {
        return false;
    }
    let (Some(hour), Some(minute), Some(second)) = (pair(text, 11), pair(text, 14), pair(text, 17)) else {
        return false;
    };
    let mut at = 19;
    if text[at] == b'.' {
        at += 1;
        while at < text.len() && text[at].is_ascii_digit() {
            at += 1;
        }
        if at == 20 {
            return false;
        }
    }
    hour < 24 && minute < 60 && second < 60 && offset(text, at)
}

/// Checks that the text ends with `Z` or `+01:00` at this position.
const fn offset(text: &[u8], at: usize) -> bool {
    if at + 1 == text.len() {
        return matches!(text[at], b'Z' | b'z');
    }
    let (Some(hours), Some(minutes)) = (pair(text, at + 1), pair(text, at + 4)) else { return false };
    let separated = matches!(text[at], b'+' | b'-') && text[at + 3] == b':';
    separated && at + 6 == text.len() && hours < 24 && minutes < 60
}

/// Reads two digits as a number.
const fn pair(text: &[u8], at: usize) -> Option<u8> {
    if at + 1 < text.len() && text[at].is_ascii_digit() && text[at + 1].is_ascii_digit() {
        Some((text[at] - b'0') * 10 + (text[at + 1] - b'0'))
    } else {
        None
    }
}

/// Checks words separated by dots, an `@` and a host.
const fn email(text: &[u8]) -> bool {
    let mut at = 0;
    while at < text.len() && text[at] != b'@' {
        let of_word = text[at].is_ascii_alphanumeric() || has(b"!#$%&'*+-/=?^_`{|}~", text[at]);
        let between = at > 0 && at + 1 < text.len() && text[at - 1] != b'.' && text[at + 1] != b'@';
        if !(of_word || text[at] == b'.' && between) {
            return false;
        }
        at += 1;
    }
    0 < at && at <= 64 && at < text.len() && host(text, at + 1)
}

/// Checks labels of letters, digits and `-`, separated by dots, to the end of the text.
const fn host(text: &[u8], begin: usize) -> bool {
    let (mut at, mut length) = (begin, 0);
    while at < text.len() {
        let ends = at + 1 == text.len() || text[at + 1] == b'.';
        match text[at] {
            b'.' if length == 0 || ends => return false,
            b'.' => length = 0,
            b'-' if length == 0 || ends => return false,
            byte if byte.is_ascii_alphanumeric() || byte == b'-' => length += 1,
            _ => return false,
        }
        if length > 63 {
            return false;
        }
        at += 1;
    }
    length > 0 && text.len() - begin <= 253
}

/// Checks a scheme, a `:` and the allowed characters of a URI.
const fn uri(text: &[u8]) -> bool {
    if text.is_empty() || !text[0].is_ascii_alphabetic() {
        return false;
    }
    let mut at = 1;
    while at < text.len() && (text[at].is_ascii_alphanumeric() || has(b"+-.", text[at])) {
        at += 1;
    }
    if at >= text.len() || text[at] != b':' {
        return false;
    }
    at += 1;
    if at + 1 < text.len() && text[at] == b'/' && text[at + 1] == b'/' {
        at = authority(text, at + 2);
        if at < text.len() && !has(b"/?#", text[at]) {
            return false;
        }
    }
    rest_of_uri(text, at)
}

/// Returns where the host and its port end.
const fn authority(text: &[u8], begin: usize) -> usize {
    let mut at = begin;
    while at < text.len() && (text[at].is_ascii_alphanumeric() || has(b"-._~", text[at])) {
        at += 1;
    }
    if at < text.len() && text[at] == b':' {
        at += 1;
        while at < text.len() && text[at].is_ascii_digit() {
            at += 1;
        }
    }
    at
}

/// Checks path, query and fragment, to the end of the text.
const fn rest_of_uri(text: &[u8], begin: usize) -> bool {
    let (mut at, mut fragments) = (begin, 0);
    while at < text.len() {
        match text[at] {
            b'#' => fragments += 1,
            b'%' => {
                if at + 2 >= text.len() || !text[at + 1].is_ascii_hexdigit() || !text[at + 2].is_ascii_hexdigit() {
                    return false;
                }
            }
            byte if byte.is_ascii_alphanumeric() || has(b"-._~!$&'()*+,;=:@/?", byte) => {}
            _ => return false,
        }
        at += 1;
    }
    fragments <= 1
}

const fn has(bytes: &[u8], byte: u8) -> bool {
    let mut index = 0;
    while index < bytes.len() {
        if bytes[index] == byte {
            return true;
        }
        index += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::{
        prelude::{ProptestConfig, Strategy, prop_assert, prop_oneof},
        sample::select,
        test_runner::TestRunner,
    };
    use serde_json::json;

    use super::*;
    use crate::elicit::{
        Shape, TypeOfField,
        field::Field,
        schema::{self, Changes},
    };

    #[test]
    fn accepts_only_defaults_that_are_valid_answers() {
        for format in [Format::Email, Format::Uri, Format::Date, Format::DateTime] {
            let shape = Shape::formatted(format);
            let fields: &'static [Field] =
                Box::leak(Box::new([Field::new("x", TypeOfField { shape, optional: false })]));
            let checker = schema::checker(fields, &Changes::default());
            let accepted = Cell::new(0);
            let config = ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() };
            let ran = TestRunner::new(config).run(&texts(format), |text| {
                if format.accepts(&text) {
                    accepted.set(accepted.get() + 1);
                    prop_assert!(checker.check(&json!({ "x": text }).to_string()).is_ok(), "{text:?}");
                }
                Ok(())
            });
            ran.unwrap_or_else(|failure| panic!("{format:?}: {failure}"));
            assert!(accepted.get() > 50, "{format:?}: only {} defaults were accepted", accepted.get());
        }
    }

    /// Generates text that nearly has the format.
    fn texts(format: Format) -> impl Strategy<Value = String> {
        let like = match format {
            Format::Email => r"[a-z.!]{1,4}@[a-z0-9.-]{1,6}",
            Format::Uri => r"[a-z+]{1,3}:(//)?[a-z.:%@]{0,4}[0-9]{0,2}[/?#%a-f0-9]{0,4}",
            Format::Date => r"[0-2][0-9]{3}-[01][0-9]-[0-3][0-9]",
            Format::DateTime => {
                r"20[0-9]{2}-0[1-9]-[0-2][0-9][Tt][0-2][0-9]:[0-6][0-9]:[0-6][0-9](\.[0-9]{0,2})?([Zz]|[+-][0-2][0-9]:[0-6][0-9])"
            }
        };
        let broken =
            (like, select(vec!["", "@", ".", "-", ":", "é", "\n"]), 0..30_usize).prop_map(|(text, odd, at)| {
                let at = text.char_indices().map(|(at, _)| at).nth(at).unwrap_or(text.len());
                format!("{}{odd}{}", &text[..at], &text[at..])
            });
        prop_oneof![like, broken]
    }

    #[test]
    fn accepts_common_values() {
        for (format, text) in [
            (Format::Email, "me@example.com"),
            (Format::Email, "first.last+tag@sub-domain.example.co.uk"),
            (Format::Uri, "https://example.com"),
            (Format::Uri, "http://localhost:8080/a%20b?c=d&e#f"),
            (Format::Uri, "mailto:me@example.com"),
            (Format::Date, "2024-02-29"),
            (Format::DateTime, "2026-01-31T14:30:00Z"),
            (Format::DateTime, "2026-01-31t14:30:00.5+05:30"),
        ] {
            assert!(format.accepts(text), "{text}");
            assert!(format.accepts(format.example()), "{format:?}");
        }
        for (format, text) in [
            (Format::Email, "me"),
            (Format::Email, "me@"),
            (Format::Email, ".me@example.com"),
            (Format::Email, "me.@example.com"),
            (Format::Uri, "example.com/a"),
            (Format::Uri, "http://a b"),
            (Format::Date, "2026-02-29"),
            (Format::Date, "tomorrow"),
            (Format::Date, "2026-01-31 "),
            (Format::DateTime, "2026-01-31"),
            (Format::DateTime, "2026-01-31T14:30:00"),
            (Format::DateTime, "2026-01-31T24:30:00Z"),
        ] {
            assert!(!format.accepts(text), "{text}");
        }
    }
}
