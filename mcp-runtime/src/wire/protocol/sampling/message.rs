//! `SamplingMessage` and its parts: the messages to and from a model.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::wire::protocol::content::{Block, Content, ResourceBody};

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The side that asks the model.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// Returns the role's name in the protocol. The APIs of Anthropic and Ollama use the same names.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// One message of a conversation with a model. [`Messages`](crate::sample::Messages) creates messages in an order that
/// models accept.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SamplingMessage {
    /// The author of the message.
    pub role: Role,
    /// The parts of the message: at least one.
    pub content: Vec<SamplingContent>,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SamplingContent {
    /// Text.
    Text(String),
    /// An image.
    Image {
        /// The bytes of the image as base64.
        data: String,
        /// The MIME type of the image, such as `image/png`.
        mime_type: String,
    },
    /// A sound.
    Audio {
        /// The bytes of the sound as base64.
        data: String,
        /// The MIME type of the sound, such as `audio/wav`.
        mime_type: String,
    },
    /// A tool call by the model.
    ToolUse(ToolUse),
    /// The result of a tool call.
    ToolResult(ToolResult),
}

/// A tool call by a model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolUse {
    /// The id of the call, which the result repeats.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments.
    pub input: Map<String, Value>,
}

/// The result of a tool call by a model, created by [`ToolUse::result`] or [`ToolUse::error`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolResult {
    /// The id of the call.
    pub tool_use_id: String,
    /// The content that the model reads.
    pub content: Vec<Content>,
    /// The content as a JSON object.
    pub structured_content: Option<Value>,
    /// Whether the call failed.
    pub is_error: bool,
}

impl ToolUse {
    /// Creates a tool call, for a [`SamplingProvider`](crate::sample::SamplingProvider).
    pub fn new(id: impl Into<String>, name: impl Into<String>, input: Map<String, Value>) -> Self {
        Self { id: id.into(), name: name.into(), input }
    }
}

impl SamplingMessage {
    pub(crate) fn new(role: Role, content: Vec<SamplingContent>) -> Self {
        Self { role, content }
    }

    /// Returns the text parts, joined by line feeds.
    pub fn text(&self) -> String {
        text(&self.content)
    }
}

impl SamplingContent {
    /// Returns the text of this part, if it is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the tool call of this part, if it is one.
    pub fn as_tool_use(&self) -> Option<&ToolUse> {
        match self {
            Self::ToolUse(tool_use) => Some(tool_use),
            _ => None,
        }
    }
}

/// Returns the text parts, joined by line feeds.
pub(crate) fn text(content: &[SamplingContent]) -> String {
    content.iter().filter_map(SamplingContent::as_text).collect::<Vec<_>>().join("\n")
}

/// Converts a block for a model. Models get no resources: a link becomes a line of text, and an embedded resource
/// becomes its text or its URI.
impl From<Content> for SamplingContent {
    fn from(mut content: Content) -> Self {
        match std::mem::replace(&mut content.block, Block::Unknown) {
            Block::Text { text } => Self::Text(text),
            Block::Image { data, mime_type } => Self::Image { data, mime_type },
            Block::Audio { data, mime_type } => Self::Audio { data, mime_type },
            Block::ResourceLink(link) => Self::Text(link.as_line()),
            Block::Resource { resource } => Self::Text(match resource.body {
                ResourceBody::Text(text) => text,
                ResourceBody::Blob(_) => resource.uri,
            }),
            // A model reads the JSON of a block that this crate does not know.
            Block::Unknown => Self::Text(serde_json::to_string(&content).unwrap_or_default()),
        }
    }
}
