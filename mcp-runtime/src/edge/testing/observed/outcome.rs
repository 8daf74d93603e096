//! The outcome of a call.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use super::transcript::Transcript;
use crate::{
    serve::client::{Log, ProtocolError, Question, Report},
    wire::protocol::{
        error::{INVALID_PARAMS, RESOURCE_NOT_FOUND},
        revision::Revision,
    },
};

/// The outcome of a scripted call.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub(crate) answer: Result<Value, ProtocolError>,
    /// Whether the script has cancelled the call. If so, the field `answer` is a placeholder error.
    pub(crate) cancelled: bool,
    pub(crate) asked: Vec<Question>,
    pub(crate) rounds: usize,
    pub(crate) revision: Revision,
    pub(crate) transcript: Transcript,
    pub(crate) logs: Vec<Log>,
    pub(crate) progress: Vec<Report>,
}

/// A message of a prompt, as the client received it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ReceivedMessage {
    /// `user` or `assistant`.
    pub role: String,
    /// The block of content, such as `{ "type": "text", "text": "…" }`.
    pub content: Value,
}

/// A part of a resource, as the client received it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReceivedContents {
    /// The URI of this part.
    pub uri: String,
    /// The MIME type of this part.
    pub mime_type: Option<String>,
    /// The text, unless this part is bytes.
    pub text: Option<String>,
    /// The bytes as base64, unless this part is text.
    pub blob: Option<String>,
    /// The `_meta` of this part. It is null if the part has no `_meta`.
    #[serde(rename = "_meta", default)]
    pub meta: Value,
}

/// The values that complete an argument, as the client received them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CompletedValues {
    /// The values, at most 100.
    pub values: Vec<String>,
    /// The number of all values that complete the argument, if the server sent this number.
    pub total: Option<usize>,
    /// Whether there are more values than the client received.
    #[serde(default)]
    pub has_more: bool,
}

impl Outcome {
    /// Returns the texts of the result, one per line: the tool's content, the prompt's messages or the resource's
    /// contents.
    ///
    /// # Panics
    /// Panics if the call ended with a JSON-RPC error, or if the script cancelled the call.
    #[track_caller]
    pub fn text(&self) -> String {
        let list = |name: &str| self.result()[name].as_array().map_or(&[][..], Vec::as_slice);
        let messages = list("messages").iter().map(|message| &message["content"]);
        let blocks = list("content").iter().chain(messages).chain(list("contents"));
        blocks.filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Returns the messages of a [prompt](crate::testing::Client::prompt).
    ///
    /// # Panics
    /// Panics if there is no result, or if it has no messages.
    #[track_caller]
    pub fn messages(&self) -> Vec<ReceivedMessage> {
        self.member("messages", "Client::prompt")
    }

    /// Returns the contents of a [resource](crate::testing::Client::read).
    ///
    /// # Panics
    /// Panics if there is no result, or if it has no contents.
    #[track_caller]
    pub fn contents(&self) -> Vec<ReceivedContents> {
        self.member("contents", "Client::read")
    }

    /// Returns whether the server answered that the resource does not exist.
    pub fn is_not_found(&self) -> bool {
        let code = if self.revision.is_modern() { INVALID_PARAMS } else { RESOURCE_NOT_FOUND };
        self.error().is_some_and(|error| error.code == i64::from(code) && error.data.get("uri").is_some())
    }

    /// Returns the values that [complete](crate::testing::Client::complete) an argument.
    ///
    /// # Panics
    /// Panics if there is no result, or if it is not a completion.
    #[track_caller]
    pub fn completion(&self) -> CompletedValues {
        self.member("completion", "Client::complete")
    }

    #[track_caller]
    fn member<T: DeserializeOwned>(&self, name: &str, made_by: &str) -> T {
        let Some(member) = self.result().get(name) else {
            panic!(
                "the result has no `{name}`, because the request was not made with `{made_by}`:\n{}",
                self.transcript
            );
        };
        T::deserialize(member).unwrap_or_else(|error| panic!("invalid `{name}`: {error}\n{}", self.transcript))
    }

    /// Returns the structured content, deserialized as `T`.
    ///
    /// Clients get structured content since 2025-06-18, and values other than objects since 2026-07-28. The text of a
    /// result repeats the structured content. In an older revision, this method parses that text, so one test works in
    /// every revision.
    ///
    /// # Panics
    /// Panics if there is no structured content, or if it is not a `T`.
    #[track_caller]
    pub fn structured<T: DeserializeOwned>(&self) -> T {
        let Some(content) = self.structured_content().cloned().or_else(|| self.mirror()) else {
            panic!("the call has no structured content:\n{}", self.transcript);
        };
        match T::deserialize(content) {
            Ok(value) => value,
            Err(error) => {
                let ty = std::any::type_name::<T>();
                panic!("the structured content is not a `{ty}`: {error}\n{}", self.transcript);
            }
        }
    }

    /// Reads the structured content from the text of the result. The text repeats this content for older revisions.
    fn mirror(&self) -> Option<Value> {
        let blocks = self.answer.as_ref().ok().filter(|_| !self.is_error())?["content"].as_array()?;
        let [block] = &blocks[..] else { return None };
        let value: Value = serde_json::from_str(block["text"].as_str()?).ok()?;
        let is_carried =
            self.revision.has_any_structured_content() || (self.revision.has_structured_content() && value.is_object());
        (!is_carried).then_some(value)
    }

    /// Returns the structured content, if there is any. Does not parse the text of the result.
    pub fn structured_content(&self) -> Option<&Value> {
        self.answer.as_ref().ok()?.get("structuredContent")
    }

    /// Returns true if the result of a tool is an error, or if there is no result, for example because the call was
    /// cancelled.
    pub fn is_error(&self) -> bool {
        self.answer.as_ref().map_or(true, |result| result["isError"] == true)
    }

    /// Returns the whole result.
    ///
    /// # Panics
    /// Panics if the call ended with a JSON-RPC error, or if the script cancelled the call.
    #[track_caller]
    pub fn result(&self) -> &Value {
        match &self.answer {
            Ok(result) => result,
            Err(_) if self.cancelled => {
                panic!("the call has no result, because its script cancelled it\n{}", self.transcript)
            }
            Err(ProtocolError { code, message, .. }) => {
                panic!("the call has no result; it failed with the error {code}: {message}\n{}", self.transcript);
            }
        }
    }

    /// Returns the JSON-RPC error. Returns `None` if the call has a result or was cancelled by the script.
    pub fn error(&self) -> Option<&ProtocolError> {
        self.answer.as_ref().err().filter(|_| !self.cancelled)
    }

    /// Returns whether the script has cancelled the call before the call ended.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled
    }

    /// Returns the tool's questions, in order.
    pub fn asked(&self) -> &[Question] {
        &self.asked
    }

    /// Returns the log messages, in order.
    pub fn logs(&self) -> &[Log] {
        &self.logs
    }

    /// Returns the progress reports, in order.
    pub fn progress(&self) -> &[Report] {
        &self.progress
    }

    /// Returns how many requests the call took. Before 2026-07-28, the number is always one.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Returns every message of the call, in order.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }
}

impl ReceivedContents {
    /// Returns the bytes of this part. For text, returns its UTF-8 bytes.
    ///
    /// # Panics
    /// Panics if `blob` is not base64.
    #[track_caller]
    pub fn bytes(&self) -> Vec<u8> {
        match (&self.text, &self.blob) {
            (Some(text), _) => text.clone().into_bytes(),
            (None, Some(blob)) => match BASE64_STANDARD.decode(blob) {
                Ok(bytes) => bytes,
                Err(error) => panic!("the `blob` of `{}` is not base64: {error}", self.uri),
            },
            (None, None) => Vec::new(),
        }
    }
}

impl ReceivedMessage {
    /// Returns the text of the message. Returns an empty text if its content is not a text.
    pub fn text(&self) -> &str {
        self.content["text"].as_str().unwrap_or_default()
    }
}
