//! One line, read: a request, a notification or a response of JSON-RPC 2.0.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::{error::Category, value::RawValue};

use super::{error::RpcError, id::Id, object::Object, params::Params};

/// A message from the client.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    Request {
        id: Id<'a>,
        method: Cow<'a, str>,
        params: Params<'a>,
    },
    Notification {
        method: Cow<'a, str>,
        params: Params<'a>,
    },
    /// An answer to a request of ours: its `result`, or its `error`. Without an id it answers nothing.
    Response {
        id: Option<Id<'a>>,
        outcome: Result<&'a RawValue, &'a RawValue>,
    },
}

/// Why a line is no message, and whose request it was where that could be read.
#[derive(Debug)]
pub(crate) struct Malformed<'a> {
    pub(crate) id: Option<Id<'a>>,
    pub(crate) error: RpcError,
}

/// The members of a message, each still JSON text: which they are decides how they are read. Only the `params` are
/// opened on the way, so that a large message is gone over once.
#[derive(Deserialize)]
struct Envelope<'a, P> {
    #[serde(borrow)]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a RawValue>,
    params: Option<P>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'a RawValue>,
}

impl<'a> Message<'a> {
    pub(crate) fn read(text: &'a str) -> Result<Self, Malformed<'a>> {
        let (envelope, params) = match serde_json::from_str::<Object<Envelope<'a, Object<Params<'a>>>>>(text) {
            Ok(Object(mut envelope)) => {
                let Object(params) = envelope.params.take().unwrap_or_default();
                (envelope.forget_params(), Ok(params))
            }
            // What is wrong may be the `params` alone: then the request can still be answered by its id.
            Err(error) => {
                let envelope = read_closed(text)?;
                (envelope, Err(RpcError::invalid_params(format!("malformed `params`: {error}"))))
            }
        };
        let id = envelope.id.map(Id::read);
        let malformed = |reason: &str| Malformed { id: id.clone().flatten(), error: RpcError::invalid_request(reason) };

        if envelope.jsonrpc.is_none_or(|version| version.get() != r#""2.0""#) {
            return Err(malformed(r#"`jsonrpc` must be "2.0""#));
        }
        let Some(method) = envelope.method else {
            let outcome = match (envelope.result, envelope.error) {
                (Some(result), None) => Ok(result),
                (None, Some(error)) => Err(error),
                _ => return Err(malformed("`method` is missing")),
            };
            return Ok(Self::Response { id: id.flatten(), outcome });
        };
        let method = read_str(method).ok_or_else(|| malformed("`method` must be a string"))?;
        match (id, params) {
            (None, params) => Ok(Self::Notification { method, params: params.unwrap_or_default() }),
            (Some(Some(id)), Ok(params)) => Ok(Self::Request { id, method, params }),
            (Some(Some(id)), Err(error)) => Err(Malformed { id: Some(id), error }),
            (Some(None), _) => {
                Err(Malformed { id: None, error: RpcError::invalid_request("`id` must be a string or an integer") })
            }
        }
    }
}

impl<'a, P> Envelope<'a, P> {
    fn forget_params(self) -> Envelope<'a, &'a RawValue> {
        let Self { jsonrpc, id, method, params: _, result, error } = self;
        Envelope { jsonrpc, id, method, params: None, result, error }
    }
}

/// Reads a message whatever its `params` are.
fn read_closed(text: &str) -> Result<Envelope<'_, &RawValue>, Malformed<'_>> {
    serde_json::from_str(text).map(|Object(envelope)| envelope).map_err(|error| Malformed {
        id: None,
        error: match error.classify() {
            Category::Data => RpcError::invalid_request(format!("not a JSON-RPC message: {error}")),
            _ => RpcError::parse(format!("not JSON: {error}")),
        },
    })
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
