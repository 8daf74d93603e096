//! The replies to the requests of a [`ServiceClient`](super::ServiceClient).

use std::{borrow::Cow, sync::Arc};

use serde_json::{Map, Value, value::RawValue};

use super::{
    message::{InputRequired, ProtocolError, ServerMessage},
    question::Question,
};
use crate::{
    engine::call::{
        body::{AskedRound, Body, BodyContent, CompletedCall},
        conversation::WireQuestion,
    },
    wire::protocol::{
        error::{OK, RpcError},
        frame::Frame,
        result::push_plain_result,
    },
};

/// The reply to one request.
pub(crate) enum ClientReply {
    Result(ClientResult),
    /// The questions that end a round, and the `requestState` that the next request of the call must return.
    Asks(Vec<AskedQuestion>, Option<String>),
    /// The error, and its HTTP status.
    Refused(ProtocolError, Option<u16>),
}

/// The result of a request.
pub(crate) enum ClientResult {
    Value(CompletedCall),
    /// The JSON text of a result that was written before: a list, or a result that the ledger has stored.
    Text(Box<RawValue>),
}

/// A question of a tool.
pub(crate) struct AskedQuestion {
    pub(crate) key: Cow<'static, str>,
    pub(crate) method: Cow<'static, str>,
    /// JSON text.
    pub(crate) params: Arc<str>,
}

impl ClientReply {
    /// Returns the reply in this body.
    ///
    /// # Errors
    /// Fails if the ledger has stored text that is not a reply.
    pub(crate) fn of(body: Body) -> serde_json::Result<Self> {
        Ok(match body.into_reply() {
            BodyContent::Done(completed) => Self::Result(ClientResult::Value(completed)),
            BodyContent::Asks(AskedRound { questions, state, .. }) => {
                Self::Asks(questions.into_iter().map(AskedQuestion::from).collect(), Some(state))
            }
            BodyContent::Refused(error) => {
                let status = error.status();
                Self::Refused(error.into(), Some(status))
            }
            BodyContent::Kept(member) => return Self::read(&[b"{", &*member, b"}"].concat(), Some(OK)),
        })
    }

    /// Reads the reply that a method has written. Returns `None` for another message.
    ///
    /// # Errors
    /// Fails if the frame is not a message.
    pub(crate) fn of_frame(frame: &Frame) -> serde_json::Result<Option<Self>> {
        if frame.status.is_none() {
            return Ok(None);
        }
        let mut text = Vec::with_capacity(frame.len());
        frame.write_to(&mut text);
        Self::read(&text, frame.status).map(Some)
    }

    fn read(text: &[u8], status: Option<u16>) -> serde_json::Result<Self> {
        let result = match ServerMessage::read(text)? {
            ServerMessage::Response { reply: Ok(result), .. } => result,
            ServerMessage::Response { reply: Err(error), .. } => return Ok(Self::Refused(error, status)),
            ServerMessage::Request { .. } | ServerMessage::Notification(_) => {
                return Err(serde::de::Error::custom("a response must have a result or an error"));
            }
        };
        Ok(match InputRequired::read(&*result)? {
            None => Self::Result(ClientResult::Text(result)),
            Some(InputRequired { questions, state }) => {
                Self::Asks(questions.into_iter().map(AskedQuestion::from).collect(), state)
            }
        })
    }
}

impl ClientResult {
    /// Returns the result as JSON text, as any client gets it.
    ///
    /// # Errors
    /// Fails if the tool has written structured content that is not JSON.
    pub(crate) fn into_json(self) -> serde_json::Result<Box<RawValue>> {
        match self {
            Self::Value(completed) => {
                let mut text = Vec::with_capacity(completed.estimated_length());
                completed.push(&mut text);
                serde_json::from_slice(&text)
            }
            Self::Text(text) => Ok(text),
        }
    }

    /// Appends the result of a tool as JSON text, without the members that only the protocol needs.
    pub(crate) fn push_plain(&self, out: &mut Vec<u8>) {
        match self {
            Self::Value(completed) => push_plain_result(out, &completed.result),
            Self::Text(text) => push_without_protocol(out, text),
        }
    }

    /// Returns about how many bytes [`push_plain`](Self::push_plain) appends.
    pub(crate) fn estimated_length(&self) -> usize {
        match self {
            Self::Value(completed) => completed.estimated_length(),
            Self::Text(text) => text.get().len(),
        }
    }

    /// Returns whether a tool says that it has failed.
    pub(crate) fn is_error(&self) -> bool {
        match self {
            Self::Value(completed) => completed.result.is_error,
            Self::Text(text) => text.get().contains(r#""isError":true"#),
        }
    }
}

fn push_without_protocol(out: &mut Vec<u8>, result: &RawValue) {
    let Ok(mut object) = serde_json::from_str::<Map<String, Value>>(result.get()) else {
        return out.extend_from_slice(result.get().as_bytes());
    };
    object.shift_remove("resultType");
    if let Some(Value::Object(meta)) = object.get_mut("_meta") {
        meta.shift_remove("io.modelcontextprotocol/serverInfo");
        if meta.is_empty() {
            object.shift_remove("_meta");
        }
    }
    crate::wire::protocol::frame::push_json(out, &object);
}

impl From<WireQuestion> for AskedQuestion {
    fn from(WireQuestion { key, method, params, .. }: WireQuestion) -> Self {
        Self { key, method: Cow::Borrowed(method), params }
    }
}

impl From<Question> for AskedQuestion {
    fn from(Question { key, method, params }: Question) -> Self {
        Self { key: key.into(), method: method.into(), params: params.to_string().into() }
    }
}

impl From<AskedQuestion> for Question {
    fn from(AskedQuestion { key, method, params }: AskedQuestion) -> Self {
        // A question of the server is JSON.
        let params = serde_json::from_str(&params).unwrap_or_default();
        Self::new(key.into_owned(), method.into_owned(), params)
    }
}

impl From<RpcError> for ProtocolError {
    fn from(RpcError { code, message, data, .. }: RpcError) -> Self {
        Self { code: code.into(), message, data: data.map_or(Value::Null, |data| *data) }
    }
}
