//! The messages of the log.

use serde::{Deserialize, Serialize};

use crate::edge::dev::target::{ServerInstance, TransportKind};

/// What the log can be asked for. All parts must hold.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct MessageQuery {
    pub(crate) text: Option<String>,
    pub(crate) direction: Option<Direction>,
    /// A method, or the kind `result`, `error` or `stderr`.
    pub(crate) method: Option<String>,
    pub(crate) call: Option<String>,
    /// The position among the matching messages of the first one to return. Default: the end.
    pub(crate) from: Option<usize>,
    pub(crate) count: Option<usize>,
    /// Returns the page that contains this message.
    pub(crate) around: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Direction {
    Sent,
    Received,
}

/// A part of the log.
#[derive(Debug, Serialize)]
pub(crate) struct MessagePage {
    /// All messages that are kept, and how many earlier ones were dropped.
    pub(crate) total: usize,
    pub(crate) dropped: u64,
    /// How many match, and the position of the first of `messages` among them.
    pub(crate) matching: usize,
    pub(crate) from: usize,
    pub(crate) messages: Vec<MessageSummary>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MessageSummary {
    pub(crate) n: u64,
    /// Milliseconds since 1970.
    pub(crate) at: u64,
    pub(crate) direction: Direction,
    pub(crate) transport: TransportKind,
    pub(crate) instance: ServerInstance,
    /// The method, or `result`, `error`, `stderr`.
    pub(crate) kind: String,
    /// The id of the request, as JSON text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) request: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) call: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) round: Option<u32>,
    /// The name of the client, if it is not the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) host: Option<String>,
    pub(crate) length: usize,
    /// The beginning of the message.
    pub(crate) preview: String,
    /// The HTTP status of a reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WireMessage {
    #[serde(flatten)]
    pub(crate) summary: MessageSummary,
    /// As it was sent. `None` if it was too long to keep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) headers: Option<Vec<(String, String)>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<String>,
}
