//! The id of a request.

use std::borrow::Cow;

use super::{decimal::Decimal, text::push_json};

/// The maximum number of digits of an integer that is written with a fraction or an exponent. Programs that write ids
/// so store them as floating-point numbers, which are exact only up to this length.
const FLOAT_DIGITS: usize = 15;

/// A request id as JSON text: a string or an integer. `7` and `"7"` differ; `7` and `7.0` are the same id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Id<'a>(Cow<'a, str>);

/// A request id that outlives its message.
pub(crate) type RequestId = Id<'static>;

/// The beginning of the id of a request that the server sends, as JSON text. The number of the request follows.
const SERVER: &str = "\"s-";

impl<'a> Id<'a> {
    /// Reads an id. Returns `None` if the text is neither a string nor an integer.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        if !text.starts_with('"') {
            let digits = text.strip_prefix('-').unwrap_or(text);
            return match digits.bytes().all(|byte| byte.is_ascii_digit()) {
                true => Some(Self(Cow::Borrowed(text))),
                // JSON does not distinguish `7` and `7.0`, and some languages have only floating-point numbers.
                false => Decimal::read(text)?.integer(FLOAT_DIGITS).map(|text| Self(Cow::Owned(text))),
            };
        }
        if !text.contains('\\') {
            return Some(Self(Cow::Borrowed(text)));
        }
        // Different escapes of one string are the same id.
        let string: String = serde_json::from_str(text).ok()?;
        serde_json::to_string(&string).ok().map(|text| Self(Cow::Owned(text)))
    }

    /// Creates the id of a request that the server sends.
    pub(crate) fn server(number: u64) -> RequestId {
        Id(Cow::Owned(format!("{SERVER}{number}\"")))
    }

    /// Appends the id of a request that the server sends, as JSON text.
    pub(crate) fn push_server(out: &mut Vec<u8>, number: u64) {
        out.extend_from_slice(SERVER.as_bytes());
        push_json(out, &number);
        out.push(b'"');
    }

    /// Returns the number of this request, if the id is one that the server has chosen.
    pub(crate) fn server_number(&self) -> Option<u64> {
        let digits = self.0.strip_prefix(SERVER)?.strip_suffix('"')?;
        digits.starts_with(|digit| matches!(digit, '1'..='9')).then(|| digits.parse().ok()).flatten()
    }

    /// Creates the id of a request of a client in this process. `digits` is the number of the request.
    #[allow(dead_code, reason = "only some features have clients in this process")]
    pub(crate) fn client(digits: &'a str) -> Self {
        Id(Cow::Borrowed(digits))
    }

    pub(crate) fn as_json(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_owned(self) -> RequestId {
        Id(Cow::Owned(self.0.into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::Id;

    #[test]
    fn number_of_a_request_of_the_server_is_in_its_id() {
        for number in [1, 10, u64::MAX] {
            assert_eq!(Id::server(number).server_number(), Some(number));
        }
        for id in [r#""s-""#, r#""s-0""#, r#""s-07""#, r#""s-+7""#, r#""s-7 ""#, r#""s-7"#, r#""t-7""#, "7"] {
            assert_eq!(Id::client(id).server_number(), None, "{id}");
        }
    }

    #[test]
    fn an_integer_with_a_fraction_is_an_integer() {
        for (text, id) in [("1.0", "1"), ("-7.00", "-7"), ("1e3", "1000"), ("1.5E1", "15"), ("-0.0", "0"), ("20", "20")]
        {
            assert_eq!(Id::read(text).unwrap().as_json(), id, "{text}");
        }
        for text in ["1.5", "1e-1", "1e15", "1e400", "1e99999999999999999999", "true", "null", "[1]"] {
            assert_eq!(Id::read(text), None, "{text}");
        }
    }
}
