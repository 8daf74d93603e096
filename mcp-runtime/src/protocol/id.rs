//! The id of a request.

use std::borrow::Cow;

/// A request id as JSON text: a string or an integer. `7` and `"7"` differ.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Id<'a>(Cow<'a, str>);

/// A request id that outlives its message.
pub(crate) type RequestId = Id<'static>;

impl<'a> Id<'a> {
    /// Reads an id. Returns `None` if the text is neither a string nor an integer.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        if !text.starts_with('"') {
            let digits = text.strip_prefix('-').unwrap_or(text);
            return digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(Self(Cow::Borrowed(text)));
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
        Id(Cow::Owned(format!("\"s-{number}\"")))
    }

    pub(crate) fn as_json(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_owned(self) -> RequestId {
        Id(Cow::Owned(self.0.into_owned()))
    }
}
