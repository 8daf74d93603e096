//! What came of a call.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use super::{question::Question, transcript::Transcript};
use crate::protocol::{level::Level, revision::Revision};

/// What came of a scripted call.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub(super) answer: Result<Value, ProtocolError>,
    /// Whether the script has cancelled the call. Then the answer is an error that stands for none.
    pub(super) cancelled: bool,
    pub(super) asked: Vec<Question>,
    pub(super) rounds: usize,
    pub(super) revision: Revision,
    pub(super) transcript: Transcript,
    pub(super) logs: Vec<Log>,
    pub(super) progress: Vec<Report>,
}

/// A JSON-RPC error: what a client gets when there is no result.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ProtocolError {
    /// The error's code.
    pub code: i64,
    /// What happened, in a sentence.
    pub message: String,
    /// More about it; null if there is none.
    #[serde(default)]
    pub data: Value,
}

/// A log message.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Log {
    /// Its severity.
    pub level: Level,
    /// Who says it: the tool's name.
    pub logger: Option<String>,
    /// What is said: any JSON, most often a string.
    pub data: Value,
}

/// A report of progress.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// How far the call is.
    pub progress: f64,
    /// The value at which it is done.
    pub total: Option<f64>,
    /// What is going on (since 2025-03-26).
    pub message: Option<String>,
}

impl Outcome {
    /// The texts of the result's content, a line each.
    ///
    /// # Panics
    /// There is no result, but a JSON-RPC error; or the script has cancelled the call.
    #[track_caller]
    pub fn text(&self) -> String {
        let blocks = self.result()["content"].as_array().map_or(&[][..], Vec::as_slice);
        blocks.iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Returns the structured content, as the type it was made from.
    ///
    /// Clients get structured content since 2025-06-18, and other values than objects since 2026-07-28. In an older
    /// revision this reads its mirror, the text of the result, so that one test is right in each.
    ///
    /// # Panics
    /// There is none, or it is no `T`.
    #[track_caller]
    pub fn structured<T: DeserializeOwned>(&self) -> T {
        let Some(content) = self.structured_content().cloned().or_else(|| self.mirror()) else {
            panic!("the call has no structured content:\n{}", self.transcript);
        };
        match T::deserialize(content) {
            Ok(value) => value,
            Err(error) => {
                let ty = std::any::type_name::<T>();
                panic!("the structured content is no `{ty}`: {error}\n{}", self.transcript);
            }
        }
    }

    /// The text that stands for structured content which the revision cannot carry.
    fn mirror(&self) -> Option<Value> {
        let blocks = self.answer.as_ref().ok().filter(|_| !self.is_error())?["content"].as_array()?;
        let [block] = &blocks[..] else { return None };
        let value: Value = serde_json::from_str(block["text"].as_str()?).ok()?;
        let is_carried =
            self.revision.has_any_structured_content() || (self.revision.has_structured_content() && value.is_object());
        (!is_carried).then_some(value)
    }

    /// The structured content, where there is any: not its mirror.
    pub fn structured_content(&self) -> Option<&Value> {
        self.answer.as_ref().ok()?.get("structuredContent")
    }

    /// Whether the call failed: its result says so, or there is none, as of a call that was cancelled.
    pub fn is_error(&self) -> bool {
        self.answer.as_ref().map_or(true, |result| result["isError"] == true)
    }

    /// The whole result.
    ///
    /// # Panics
    /// There is none, but a JSON-RPC error; or the script has cancelled the call.
    #[track_caller]
    pub fn result(&self) -> &Value {
        match &self.answer {
            Ok(result) => result,
            Err(_) if self.cancelled => {
                panic!("the call has no result, since its script has cancelled it\n{}", self.transcript)
            }
            Err(ProtocolError { code, message, .. }) => {
                panic!("the call has no result, but the error {code}: {message}\n{}", self.transcript);
            }
        }
    }

    /// The JSON-RPC error, if there is no result.
    pub fn error(&self) -> Option<&ProtocolError> {
        self.answer.as_ref().err().filter(|_| !self.cancelled)
    }

    /// Whether the script has cancelled the call before its end.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled
    }

    /// What the tool asked, in order.
    pub fn asked(&self) -> &[Question] {
        &self.asked
    }

    /// The log messages, in order.
    pub fn logs(&self) -> &[Log] {
        &self.logs
    }

    /// The reports of progress, in order.
    pub fn progress(&self) -> &[Report] {
        &self.progress
    }

    /// How many requests the call took. Before 2026-07-28 it is one, however much is asked.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Every message of the call, in order.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }
}
