//! `SamplingMessage` and its parts: what is said to a model, and what it says.

use serde_json::{Map, Value};

use crate::protocol::content::{Block, Content, ResourceBody};

/// Whose message it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Whoever asks the model.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// The protocol's word for it, and that of other APIs.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// One message of a conversation with a model. [`Messages`](crate::sample::Messages) makes them, in an order that models take.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SamplingMessage {
    /// Whose it is.
    pub role: Role,
    /// What it says: one part at least.
    pub content: Vec<SamplingContent>,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SamplingContent {
    /// Text.
    Text(String),
    /// A picture.
    Image {
        /// Its bytes as base64.
        data: String,
        /// Such as `image/png`.
        mime_type: String,
    },
    /// A sound.
    Audio {
        /// Its bytes as base64.
        data: String,
        /// Such as `audio/wav`.
        mime_type: String,
    },
    /// The model calls a tool.
    ToolUse(ToolUse),
    /// What came of a call.
    ToolResult(ToolResult),
}

/// A call of a tool, as a model wrote it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolUse {
    /// What its result is known by.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments.
    pub input: Map<String, Value>,
}

/// What came of a call that a model made: [`ToolUse::result`], [`ToolUse::error`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolResult {
    /// The call.
    pub tool_use_id: String,
    /// What the model reads.
    pub content: Vec<Content>,
    /// The same as a JSON object.
    pub structured_content: Option<Value>,
    /// Whether the call failed.
    pub is_error: bool,
}

impl ToolUse {
    /// A call, as a [`SamplingProvider`](crate::sample::SamplingProvider) tells it.
    pub fn new(id: impl Into<String>, name: impl Into<String>, input: Map<String, Value>) -> Self {
        Self { id: id.into(), name: name.into(), input }
    }
}

impl SamplingMessage {
    pub(crate) fn new(role: Role, content: Vec<SamplingContent>) -> Self {
        Self { role, content }
    }

    /// What of it is text, a line or more for each part.
    pub fn text(&self) -> String {
        text(&self.content)
    }
}

impl SamplingContent {
    /// The text of this part, if it is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The call that this part is, if it is one.
    pub fn as_tool_use(&self) -> Option<&ToolUse> {
        match self {
            Self::ToolUse(tool_use) => Some(tool_use),
            _ => None,
        }
    }
}

/// What of these parts is text.
pub(crate) fn text(content: &[SamplingContent]) -> String {
    content.iter().filter_map(SamplingContent::as_text).collect::<Vec<_>>().join("\n")
}

/// Models are sent no resources: a link is a line of text, and an embedded one its own text.
impl From<Content> for SamplingContent {
    fn from(content: Content) -> Self {
        match content.block {
            Block::Text { text } => Self::Text(text),
            Block::Image { data, mime_type } => Self::Image { data, mime_type },
            Block::Audio { data, mime_type } => Self::Audio { data, mime_type },
            Block::ResourceLink(link) => Self::Text(link.as_line()),
            Block::Resource { resource } => Self::Text(match resource.body {
                ResourceBody::Text(text) => text,
                ResourceBody::Blob(_) => resource.uri,
            }),
        }
    }
}
