//! Reads the messages of a server. No other code reads them.

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::{Map, Value, value::RawValue};

use super::question::Question;
use crate::wire::protocol::level::Level;

/// A message of the server.
pub(crate) enum ServerMessage {
    /// A request. Before 2026-07-28, the server asks its questions with requests.
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    Notification(ServerNotification),
    /// The result of the request with this id, or its error.
    Response {
        id: Value,
        reply: Result<Box<RawValue>, ProtocolError>,
    },
}

/// A notification of the server.
pub(crate) enum ServerNotification {
    Log(Log),
    Progress(Report),
    Other { method: String, params: Value },
}

/// The questions that end a round of a call (since 2026-07-28).
pub(crate) struct InputRequired {
    pub(crate) questions: Vec<Question>,
    /// The `requestState`, which the next request of the call must return.
    pub(crate) state: Option<String>,
}

/// A JSON-RPC error, which a client gets instead of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ProtocolError {
    /// The error's code.
    pub code: i64,
    /// What happened, in one sentence.
    pub message: String,
    /// Further data. It is null if the error has no further data.
    #[serde(default)]
    pub data: Value,
}

/// A log message.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Log {
    /// The severity of the message.
    pub level: Level,
    /// The source of the message, usually the tool's name.
    pub logger: Option<String>,
    /// The message. It can be any JSON, but is most often a string.
    pub data: Value,
}

/// A progress report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// The progress so far.
    pub progress: f64,
    /// The value of `progress` at which the call is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    /// A description of the current work (since 2025-03-26).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// The members of any message.
#[derive(Deserialize)]
struct AnyMessage<'a> {
    id: Option<Value>,
    method: Option<String>,
    #[serde(default)]
    params: Value,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<Value>,
}

impl ServerMessage {
    /// Reads one message.
    ///
    /// # Errors
    /// Fails if the text is not a message.
    pub(crate) fn read(text: &[u8]) -> serde_json::Result<Self> {
        let AnyMessage { id, method, params, result, error } = serde_json::from_slice(text)?;
        Ok(match (id, method, result) {
            (Some(id), Some(method), _) => Self::Request { id, method, params },
            (None, Some(method), _) => Self::Notification(ServerNotification::read(method, params)),
            (id, None, Some(result)) => Self::Response { id: id.unwrap_or_default(), reply: Ok(result.to_owned()) },
            (id, None, None) => {
                let error = ProtocolError::deserialize(error.unwrap_or_default())?;
                Self::Response { id: id.unwrap_or_default(), reply: Err(error) }
            }
        })
    }
}

impl ServerNotification {
    fn read(method: String, params: Value) -> Self {
        let log_or_progress = match &*method {
            "notifications/message" => Log::deserialize(&params).ok().map(Self::Log),
            "notifications/progress" => Report::deserialize(&params).ok().map(Self::Progress),
            _ => None,
        };
        log_or_progress.unwrap_or(Self::Other { method, params })
    }
}

impl InputRequired {
    /// Reads a result. Returns `None` for a result that ends the call.
    ///
    /// # Errors
    /// Fails if the result ends a round, but its questions cannot be read.
    pub(crate) fn read<'de, D: Deserializer<'de>>(result: D) -> Result<Option<Self>, D::Error> {
        #[derive(Default, Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        struct AnyResult {
            result_type: Value,
            input_requests: Value,
            request_state: Value,
        }
        let AnyResult { result_type, input_requests, request_state } = AnyResult::deserialize(result)?;
        if result_type != "input_required" {
            return Ok(None);
        }
        let questions = read_questions(input_requests).map_err(D::Error::custom)?;
        Ok(Some(Self { questions, state: request_state.as_str().map(str::to_owned) }))
    }
}

/// Reads the `inputRequests` of a result. Null has no questions.
///
/// # Errors
/// Fails if a question cannot be read.
pub(crate) fn read_questions(input_requests: Value) -> serde_json::Result<Vec<Question>> {
    #[derive(Deserialize)]
    struct InputRequest {
        method: String,
        #[serde(default)]
        params: Value,
    }
    if input_requests.is_null() {
        return Ok(Vec::new());
    }
    let read = Map::deserialize(input_requests)?;
    let questions = read.into_iter().map(|(key, question)| match InputRequest::deserialize(question) {
        Ok(InputRequest { method, params }) => Ok(Question::new(key, method, params)),
        Err(error) => Err(serde_json::Error::custom(format_args!("the question `{key}`: {error}"))),
    });
    questions.collect()
}
