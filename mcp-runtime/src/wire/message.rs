//! One line, read: a request, a notification or a response of JSON-RPC 2.0.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::{error::Category, value::RawValue};

use super::{error::RpcError, id::Id};

/// A message from the client. What a method takes is still JSON text.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    Request {
        id: Id<'a>,
        method: Cow<'a, str>,
        params: &'a str,
    },
    Notification {
        method: Cow<'a, str>,
        params: &'a str,
    },
    /// An answer to a request of ours.
    Response,
}

/// Why a line is no message, and whose request it was where that could be read.
#[derive(Debug)]
pub(crate) struct Malformed<'a> {
    pub(crate) id: Option<Id<'a>>,
    pub(crate) error: RpcError,
}

/// The members of a message, each still JSON text: which they are decides how they are read.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'a RawValue>,
}

impl<'a> Message<'a> {
    pub(crate) fn read(text: &'a str) -> Result<Self, Malformed<'a>> {
        let envelope: Envelope<'a> = serde_json::from_str(text).map_err(|error| Malformed {
            id: None,
            error: match error.classify() {
                Category::Data => RpcError::invalid_request(format!("not a JSON-RPC message: {error}")),
                _ => RpcError::parse(format!("not JSON: {error}")),
            },
        })?;
        let id = envelope.id.map(Id::read);
        let malformed = |reason: &str| Malformed { id: id.clone().flatten(), error: RpcError::invalid_request(reason) };

        if envelope.jsonrpc.is_none_or(|version| version.get() != r#""2.0""#) {
            return Err(malformed(r#"`jsonrpc` must be "2.0""#));
        }
        let Some(method) = envelope.method else {
            return match (&id, envelope.result, envelope.error) {
                (_, Some(_), None) | (_, None, Some(_)) => Ok(Self::Response),
                _ => Err(malformed("`method` is missing")),
            };
        };
        let method = read_str(method).ok_or_else(|| malformed("`method` must be a string"))?;
        let params = envelope.params.map_or("{}", RawValue::get);
        match id {
            None => Ok(Self::Notification { method, params }),
            Some(Some(id)) => Ok(Self::Request { id, method, params }),
            Some(None) => Err(malformed("`id` must be a string or an integer")),
        }
    }
}

/// The string this JSON text is, without a copy where it holds no escape.
pub(crate) fn read_str(raw: &RawValue) -> Option<Cow<'_, str>> {
    let text = raw.get();
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') { serde_json::from_str(text).ok().map(Cow::Owned) } else { Some(Cow::Borrowed(inner)) }
}

/// Tells `null` from a member that is not there.
pub(crate) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}
