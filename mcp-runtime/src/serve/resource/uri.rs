//! URIs: their syntax, and percent-encoding.

use std::borrow::Cow;

/// Returns the reason why the text is not a URI, or `None` if the text is a URI.
pub(super) fn invalid_uri(uri: &str) -> Option<String> {
    if uri.contains(['{', '}']) {
        return Some("a URI without variables cannot contain `{` or `}`".to_owned());
    }
    invalid_scheme(uri).map(str::to_owned).or_else(|| invalid_text(uri))
}

/// Returns the reason why this text does not begin with a scheme, such as `docs:`. Returns `None` if the text begins
/// with a scheme.
pub(super) fn invalid_scheme(text: &str) -> Option<&'static str> {
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    let scheme = text.split_once(':').map(|(scheme, _)| scheme);
    (!scheme.is_some_and(is_scheme)).then_some("a URI begins with a scheme, such as `docs://`")
}

/// Returns the reason why this text cannot be a part of a URI, or `None` if it can.
pub(super) fn invalid_text(text: &str) -> Option<String> {
    if let Some(wrong) = text.chars().find(|char| !is_unreserved(*char) && !is_reserved(*char) && *char != '%') {
        let encoded = encoded(wrong.encode_utf8(&mut [0; 4]), is_unreserved);
        return Some(format!("a URI cannot contain `{}`; write `{encoded}`", wrong.escape_debug()));
    }
    if text.matches('#').nth(1).is_some() {
        return Some("a URI has at most one `#`; write the other as `%23`".to_owned());
    }
    let is_escape = |rest: &str| rest.as_bytes().first_chunk().is_some_and(|digits| escaped_byte(*digits).is_some());
    let mut escapes = text.split('%').skip(1);
    (!escapes.all(is_escape))
        .then(|| "`%` must be followed by two hexadecimal digits; write a percent sign as `%25`".to_owned())
}

/// Decodes `%XX` sequences, once. Returns `None` if a `%` is not followed by two hexadecimal digits, or if the bytes
/// are not UTF-8.
pub(crate) fn decoded(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(text.into());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first == b'%' {
            bytes.push(escaped_byte(*tail.first_chunk()?)?);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

/// Encodes all characters for which `is_kept` is false. A `%` is always encoded, so that decoding returns the original
/// text.
pub(crate) fn encoded(text: &str, is_kept: impl Fn(char) -> bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    for char in text.chars() {
        if is_kept(char) {
            encoded.push(char);
        } else {
            let bytes = char.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
            encoded.push_str(&bytes);
        }
    }
    encoded
}

/// Returns whether the character is unreserved in RFC 3986: it has no special meaning in any URI.
pub(crate) fn is_unreserved(char: char) -> bool {
    char.is_ascii_alphanumeric() || "-._~".contains(char)
}

/// Returns whether the character is reserved in RFC 3986: it can have a special meaning in a URI.
pub(super) fn is_reserved(char: char) -> bool {
    ":/?#[]@!$&'()*+,;=".contains(char)
}

fn escaped_byte(digits: [u8; 2]) -> Option<u8> {
    let [high, low] = digits.map(|digit| char::from(digit).to_digit(16));
    u8::try_from(high? * 16 + low?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_uris_and_explains_other_texts() {
        for uri in ["docs://a", "file:///home/a%20b", "urn:isbn:0451450523", "x-y.z+1:?q=[1]#f", "data:,"] {
            assert_eq!(invalid_uri(uri), None, "{uri}");
        }
        for (uri, reason) in [
            ("", "begins with a scheme"),
            ("/docs", "begins with a scheme"),
            ("1docs://a", "begins with a scheme"),
            ("do_cs://a", "begins with a scheme"),
            ("docs://a b", "cannot contain ` `; write `%20`"),
            ("docs://é", "cannot contain `é`; write `%C3%A9`"),
            ("docs://\n", "cannot contain `\\n`; write `%0A`"),
            ("docs://100%", "two hexadecimal digits"),
            ("docs://%zz", "two hexadecimal digits"),
            ("docs://a#b#c", "at most one `#`"),
            ("docs://{a}", "cannot contain `{`"),
        ] {
            let found = invalid_uri(uri).unwrap_or_default();
            assert!(found.contains(reason), "{uri}: {found}");
        }
    }

    #[test]
    fn decodes_exactly_once() {
        for (text, expected) in [
            ("a", Some("a")),
            ("a%2Fb", Some("a/b")),
            ("%252F", Some("%2F")),
            ("a+b", Some("a+b")),
            ("%C3%a9", Some("é")),
            ("é%20", Some("é ")),
            ("%", None),
            ("%4", None),
            ("%+1", None),
            ("%é", None),
            ("%C3", None),
            ("%FF", None),
        ] {
            assert_eq!(decoded(text).as_deref(), expected, "{text}");
        }
    }
}
