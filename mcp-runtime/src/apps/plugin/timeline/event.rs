//! The events of a call's timeline.

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::question::PluginQuestion;
use crate::wire::protocol::level::Level;

/// One event of a call's timeline. As JSON it is one object: `{"id": 3, "at": 1764080000123, "type": "log", …}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TimelineEvent {
    /// The number of the event in its call. Later events have larger numbers. Some numbers can be missing: after a
    /// restart of the application, and where log messages or progress reports were dropped.
    pub id: u64,
    /// When the event happened, by the clock of the machine. As JSON: milliseconds since 1970.
    #[serde(serialize_with = "write_time", deserialize_with = "read_time")]
    pub at: SystemTime,
    /// What happened.
    #[serde(flatten)]
    pub kind: TimelineEventKind,
}

/// What happened in a call. The last event of a call is always `Finished`, `Failed` or `Cancelled`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum TimelineEventKind {
    /// The call has begun.
    #[non_exhaustive]
    Started {
        /// The name of the tool.
        tool: String,
        /// The display name of the tool.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// The arguments of the call.
        arguments: Value,
    },
    /// The tool has logged a message.
    #[non_exhaustive]
    Log {
        /// The severity of the message.
        level: Level,
        /// The message. It can be any JSON, but is most often a string.
        data: Value,
    },
    /// The tool has reported progress.
    #[non_exhaustive]
    Progress {
        /// The progress so far.
        progress: f64,
        /// The value at which the work is complete.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<f64>,
        /// The current work.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// The tool asks the user, and waits for the answer.
    #[non_exhaustive]
    Elicit {
        /// The question.
        question: PluginQuestion,
    },
    /// The question was answered.
    #[non_exhaustive]
    Answered {
        /// The number of the question in its call.
        seq: u32,
        /// The key of the question.
        key: String,
        /// What the user did.
        action: AnswerAction,
        /// The fields of an accepted form.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content: Option<Map<String, Value>>,
    },
    /// The server's own model has answered a question of the tool.
    #[non_exhaustive]
    Sample {
        /// The key of the question.
        key: String,
        /// The model that has answered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        /// The text of the answer, if it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// The call has its result.
    #[non_exhaustive]
    Finished {
        /// The `CallToolResult` of the protocol: `content`, `structuredContent` and `isError`.
        result: Value,
    },
    /// The call has ended without a result.
    #[non_exhaustive]
    Failed {
        /// The reason.
        message: String,
    },
    /// The call was cancelled.
    Cancelled,
}

/// What the user did with a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerAction {
    /// The user submitted the form, or agreed to open the page.
    Accept,
    /// The user declined.
    Decline,
    /// The user closed the question without an answer.
    Cancel,
}

/// The status of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallStatus {
    /// The tool runs.
    Working,
    /// A question waits for its answer.
    InputRequired,
    /// The call has its result.
    Finished,
    /// The call has ended without a result.
    Failed,
    /// The call was cancelled.
    Cancelled,
}

impl CallStatus {
    /// Returns `true` until the call ends.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Working | Self::InputRequired)
    }
}

impl TimelineEventKind {
    /// Returns whether this is the last event of its call.
    pub fn is_end(&self) -> bool {
        matches!(self, Self::Finished { .. } | Self::Failed { .. } | Self::Cancelled)
    }

    /// Returns the type of the event, as its JSON has it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Started { .. } => "started",
            Self::Log { .. } => "log",
            Self::Progress { .. } => "progress",
            Self::Elicit { .. } => "elicit",
            Self::Answered { .. } => "answered",
            Self::Sample { .. } => "sample",
            Self::Finished { .. } => "finished",
            Self::Failed { .. } => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

fn write_time<S: Serializer>(at: &SystemTime, serializer: S) -> Result<S::Ok, S::Error> {
    let since = at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    crate::base::clock::millis(since).serialize(serializer)
}

fn read_time<'de, D: Deserializer<'de>>(from: D) -> Result<SystemTime, D::Error> {
    let millis = u64::deserialize(from)?;
    SystemTime::UNIX_EPOCH
        .checked_add(Duration::from_millis(millis))
        .ok_or_else(|| serde::de::Error::custom("the time is out of range"))
}
