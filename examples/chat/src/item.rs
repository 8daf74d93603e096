//! One entry of a conversation.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// An entry of a conversation, as it is stored and as the page gets it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Item {
    /// The number of the entry, from 1.
    pub(crate) id: u64,
    /// Milliseconds since 1970.
    pub(crate) at: u64,
    #[serde(flatten)]
    pub(crate) kind: ItemKind,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ItemKind {
    /// The user has written this.
    User { text: String },
    /// The model has written this, and calls these tools. The calls begin after the entry is stored.
    Assistant {
        text: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<WantedCall>,
    },
    /// A call has begun. The page follows it under its id.
    Call {
        /// The id that the model has given to the call.
        wanted: String,
        call: String,
        tool: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
    },
    /// What the model learns from a call.
    Result { wanted: String, text: String, is_error: bool },
    /// The model could not be asked.
    Error { message: String },
    /// The assistant waits for the user.
    Done,
}

/// A call that the model wants.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct WantedCall {
    /// Unique in the conversation.
    pub(crate) id: String,
    pub(crate) tool: String,
    pub(crate) arguments: Map<String, Value>,
}

pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
