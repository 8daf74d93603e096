//! The `params` of a request and their `_meta`.

use std::{borrow::Cow, collections::BTreeMap};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    error::RpcError,
    id::Id,
    level::Level,
    message::{present, read_str},
    object::Object,
};

/// Every member that a method reads, each still JSON text: one pass finds them, and the method types its own.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params<'a> {
    #[serde(borrow, rename = "_meta")]
    meta: Option<Object<Meta<'a>>>,
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    input_responses: Option<&'a RawValue>,
    #[serde(borrow)]
    request_state: Option<&'a RawValue>,
    #[serde(borrow)]
    cursor: Option<&'a RawValue>,
    #[serde(borrow)]
    level: Option<&'a RawValue>,
    #[serde(borrow)]
    request_id: Option<&'a RawValue>,
    #[serde(borrow)]
    protocol_version: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) capabilities: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) client_info: Option<&'a RawValue>,
}

/// What a request says of itself.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(crate) struct Meta<'a> {
    /// Present, whatever its type, in every modern request and in no other.
    #[serde(borrow, default, deserialize_with = "present", rename = "io.modelcontextprotocol/protocolVersion")]
    pub(crate) protocol_version: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
    pub(crate) capabilities: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientInfo")]
    pub(crate) client_info: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/logLevel")]
    log_level: Option<&'a RawValue>,
    #[serde(borrow, rename = "progressToken")]
    progress_token: Option<&'a RawValue>,
}

impl<'a> Params<'a> {
    pub(crate) fn meta(&self) -> Meta<'a> {
        self.meta.unwrap_or_default().0
    }

    /// The `name` of `tools/call`.
    pub(crate) fn name(&self) -> Result<Cow<'a, str>, RpcError> {
        required("name", self.name)
    }

    /// The `arguments` of `tools/call`: the text of an object.
    pub(crate) fn arguments(&self) -> Result<&'a str, RpcError> {
        match self.arguments.map(RawValue::get) {
            None => Ok("{}"),
            Some(text) if text.starts_with('{') => Ok(text),
            Some(_) => Err(RpcError::invalid_params("`arguments` must be an object")),
        }
    }

    /// The `inputResponses` of `tools/call`: an object for each key.
    pub(crate) fn input_responses(&self) -> Result<Vec<(String, &'a RawValue)>, RpcError> {
        let Some(responses) = self.input_responses else { return Ok(Vec::new()) };
        let malformed = || RpcError::invalid_params("`inputResponses` must be an object of objects");
        let responses: BTreeMap<String, &RawValue> = serde_json::from_str(responses.get()).map_err(|_| malformed())?;
        let is_object = |response: &RawValue| response.get().starts_with('{');
        if responses.values().all(|response| is_object(response)) {
            Ok(responses.into_iter().collect())
        } else {
            Err(malformed())
        }
    }

    /// The `requestState` of `tools/call`.
    pub(crate) fn request_state(&self) -> Result<Option<Cow<'a, str>>, RpcError> {
        self.request_state.map(|state| required("requestState", Some(state))).transpose()
    }

    /// The `cursor` of a list.
    pub(crate) fn cursor(&self) -> Result<Option<Cow<'a, str>>, RpcError> {
        self.cursor.map(|cursor| required("cursor", Some(cursor))).transpose()
    }

    /// The `level` of `logging/setLevel`.
    pub(crate) fn level(&self) -> Result<Level, RpcError> {
        read_level("level", self.level)
    }

    /// The `protocolVersion` of `initialize`.
    pub(crate) fn protocol_version(&self) -> Result<Cow<'a, str>, RpcError> {
        required("protocolVersion", self.protocol_version)
    }

    /// The `requestId` of `notifications/cancelled`.
    pub(crate) fn request_id(&self) -> Option<Id<'a>> {
        Id::read(self.request_id?)
    }
}

impl<'a> Meta<'a> {
    /// The least severe log message the client wants for this request.
    pub(crate) fn log_level(&self) -> Result<Option<Level>, RpcError> {
        self.log_level.map(|level| read_level("io.modelcontextprotocol/logLevel", Some(level))).transpose()
    }

    /// The token for progress notifications, as JSON text.
    pub(crate) fn progress_token(&self) -> Result<Option<Id<'a>>, RpcError> {
        let Some(token) = self.progress_token else { return Ok(None) };
        match Id::read(token) {
            Some(token) => Ok(Some(token)),
            None => Err(RpcError::invalid_params("`progressToken` must be a string or an integer")),
        }
    }
}

fn read_level(member: &str, raw: Option<&RawValue>) -> Result<Level, RpcError> {
    let name = required(member, raw)?;
    Level::ALL.into_iter().find(|level| level.as_str() == name).ok_or_else(|| {
        let names = Level::ALL.map(Level::as_str).join(", ");
        RpcError::invalid_params(format!("`{member}` must be one of {names}"))
    })
}

fn required<'a>(member: &str, raw: Option<&'a RawValue>) -> Result<Cow<'a, str>, RpcError> {
    raw.and_then(read_str).ok_or_else(|| RpcError::invalid_params(format!("`{member}` must be a string")))
}
