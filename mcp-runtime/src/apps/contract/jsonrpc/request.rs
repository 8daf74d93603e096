//! Reads requests.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::response::{ErrorObject, RpcResponse};
use crate::{
    apps::contract::InvokeError,
    wire::protocol::{error::INVALID_REQUEST, scan::read_string, text::json_string},
};

/// A valid request.
pub(super) struct RpcRequest<'a> {
    /// The id as the client wrote it. `None` for a notification.
    pub(super) id: Option<&'a str>,
    pub(super) method: Cow<'a, str>,
    pub(super) params: RpcParams<'a>,
}

pub(super) enum RpcParams<'a> {
    Absent,
    ByName(&'a str),
    ByPosition(Vec<&'a RawValue>),
}

/// A message that is not a request, with its id if it has one.
pub(super) struct NotRequest<'a> {
    pub(super) id: &'a str,
    pub(super) error: ErrorObject,
}

/// The members of a request as they were written. An absent member is `None`. A member with the value `null` is `Some`.
#[derive(Deserialize)]
struct RequestMembers<'a> {
    #[serde(borrow, default, deserialize_with = "written")]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "written")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "written")]
    method: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "written")]
    params: Option<&'a RawValue>,
}

fn written<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl<'a> RpcRequest<'a> {
    /// Reads a request from JSON text. If the text is not JSON, the error says only that it is not a request.
    pub(super) fn read(text: &'a str) -> Result<Self, NotRequest<'a>> {
        let invalid = |id, reason: String| NotRequest { id, error: ErrorObject::new(INVALID_REQUEST, reason) };
        // Without this check, `serde_json` would also read the members from an array.
        if !text.starts_with('{') {
            return Err(invalid("null", "a request must be an object".to_owned()));
        }
        let members: RequestMembers<'a> = serde_json::from_str(text)
            .map_err(|error| invalid("null", format!("the request is not valid: {error}")))?;
        let id = members.id.map(RawValue::get);
        if id.is_some_and(|id| !is_id(id)) {
            return Err(invalid("null", "`id` must be a string, a number or null".to_owned()));
        }
        let invalid = |reason: &str| invalid(id.unwrap_or("null"), reason.to_owned());
        if members.jsonrpc.and_then(string).as_deref() != Some("2.0") {
            return Err(invalid("`jsonrpc` must be \"2.0\""));
        }
        let method = members.method.and_then(string).ok_or_else(|| invalid("`method` must be a string"))?;
        let params = match members.params.map(RawValue::get) {
            None => RpcParams::Absent,
            Some(params) if params.starts_with('{') => RpcParams::ByName(params),
            Some(params) if params.starts_with('[') => {
                let values = serde_json::from_str(params).map_err(|_| invalid("`params` is not valid"))?;
                RpcParams::ByPosition(values)
            }
            Some(_) => return Err(invalid("`params` must be an object or an array")),
        };
        Ok(Self { id, method, params })
    }
}

impl RpcParams<'_> {
    /// Returns the JSON of the method's input. `fields` are the names of the input's fields, in the order of positional
    /// params.
    pub(super) fn input(&self, fields: Option<&[String]>) -> Result<String, InvokeError> {
        let invalid = |mistake: String| Err(InvokeError::InvalidInput(vec![mistake]));
        match (self, fields) {
            (Self::Absent, _) => Ok("{}".to_owned()),
            (Self::ByName(params), _) => Ok((*params).to_owned()),
            (Self::ByPosition(values), Some(fields)) if values.len() <= fields.len() => {
                let members = fields.iter().zip(values).map(|(name, value)| format!("{}:{value}", json_string(name)));
                Ok(format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
            }
            (Self::ByPosition(values), Some(fields)) => {
                invalid(format!("the method takes at most {} params, not {}", fields.len(), values.len()))
            }
            (Self::ByPosition(_), None) => {
                invalid("the params of this method have no order; send an object".to_owned())
            }
        }
    }
}

fn is_id(json: &str) -> bool {
    json == "null" || json.starts_with(|first: char| first == '"' || first == '-' || first.is_ascii_digit())
}

fn string(json: &RawValue) -> Option<Cow<'_, str>> {
    read_string(json.get())
}

impl From<NotRequest<'_>> for RpcResponse {
    fn from(NotRequest { id, error }: NotRequest<'_>) -> Self {
        Self::error(id, &error)
    }
}
