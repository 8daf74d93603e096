//! A conversation with a model, in an order that every model accepts.

use crate::wire::protocol::{
    content::Content,
    sampling::{Role, Sampled, SamplingContent, SamplingMessage, ToolResult},
};

/// A conversation with a model, for [`Ctx::sample`](crate::Ctx::sample) and similar methods.
///
/// ```
/// use mcp_runtime::{Content, sample::Messages};
///
/// let messages = Messages::new()
///     .user("What is in this picture?")
///     .user([Content::image(b"\x89PNG", "image/png")])
///     .assistant("A cat.")
///     .user("Which breed?");
/// assert_eq!(messages.iter().count(), 4);
/// ```
///
/// Models require that each tool call is followed by its result. This type guarantees that: only
/// [`answered`](Self::answered) adds calls and results, and it adds them together (protocol, "Tool Use in Sampling").
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Messages(pub(super) Vec<SamplingMessage>);

/// The error for results that do not match a model's calls.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MessagesError {
    /// A call without a result.
    #[error("the call `{id}` of `{tool}` has no result; each call needs a result: `call.tool_use.result(…)`")]
    Missing {
        /// The id of the call.
        id: String,
        /// The name of the tool.
        tool: String,
    },
    /// A result without a call.
    #[error("the reply has no call `{0}`; pass results only for calls that the reply contains")]
    Unknown(String),
    /// A second result of one call.
    #[error("the call `{0}` has two results; pass one result for each call")]
    Twice(String),
}

impl Messages {
    /// Creates an empty conversation.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a message of the user: text, or blocks with images and sounds.
    pub fn user(self, content: impl IntoBlocks) -> Self {
        self.with(Role::User, content.into_blocks())
    }

    /// Adds a message of the model, real or made up.
    pub fn assistant(self, content: impl IntoBlocks) -> Self {
        self.with(Role::Assistant, content.into_blocks())
    }

    /// Adds a reply, without its tool calls, so that the conversation can continue.
    pub fn reply(self, reply: &Sampled) -> Self {
        let content = reply.content.iter().filter(|part| part.as_tool_use().is_none()).cloned().collect();
        self.with(Role::Assistant, content)
    }

    /// Adds a reply with tool calls, and the result of each call. If the reply has no calls, see
    /// [`reply`](Self::reply).
    ///
    /// # Errors
    /// Fails if a call has no result or several results, or if a result belongs to no call. Models reject such a
    /// conversation.
    pub fn answered(
        self,
        reply: &Sampled,
        results: impl IntoIterator<Item = ToolResult>,
    ) -> Result<Self, MessagesError> {
        let results: Vec<_> = results.into_iter().collect();
        for (index, result) in results.iter().enumerate() {
            let id = &result.tool_use_id;
            if !reply.tool_uses().any(|call| call.id == *id) {
                return Err(MessagesError::Unknown(id.clone()));
            }
            if results[..index].iter().any(|earlier| earlier.tool_use_id == *id) {
                return Err(MessagesError::Twice(id.clone()));
            }
        }
        if let Some(call) = reply.tool_uses().find(|call| !results.iter().any(|result| result.tool_use_id == call.id)) {
            return Err(MessagesError::Missing { id: call.id.clone(), tool: call.name.clone() });
        }
        let results = results.into_iter().map(SamplingContent::ToolResult).collect();
        Ok(self.with(Role::Assistant, reply.content.clone()).with(Role::User, results))
    }

    /// Returns the messages in order.
    pub fn iter(&self) -> impl Iterator<Item = &SamplingMessage> {
        self.0.iter()
    }

    /// Adds a message, unless it is empty.
    fn with(mut self, role: Role, content: Vec<SamplingContent>) -> Self {
        if !content.is_empty() {
            self.0.push(SamplingMessage::new(role, content));
        }
        self
    }
}

impl From<&str> for Messages {
    fn from(text: &str) -> Self {
        Self::new().user(text)
    }
}

impl From<String> for Messages {
    fn from(text: String) -> Self {
        Self::new().user(text)
    }
}

impl From<&Self> for Messages {
    fn from(messages: &Self) -> Self {
        messages.clone()
    }
}

/// The content of a message: text, a block, or several blocks.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the content of a message to a model",
    label = "neither text nor a block",
    note = "write text (`&str`, `String`), a `Content`, or an array or `Vec` of `Content`"
)]
pub trait IntoBlocks {
    /// Returns the parts of the message.
    fn into_blocks(self) -> Vec<SamplingContent>;
}

macro_rules! one_block {
    ($($ty:ty),*) => {$(
        impl IntoBlocks for $ty {
            fn into_blocks(self) -> Vec<SamplingContent> {
                vec![Content::from(self).into()]
            }
        }
    )*};
}
one_block!(&str, String, Content);

impl IntoBlocks for Vec<Content> {
    fn into_blocks(self) -> Vec<SamplingContent> {
        self.into_iter().map(Into::into).collect()
    }
}

impl<const N: usize> IntoBlocks for [Content; N] {
    fn into_blocks(self) -> Vec<SamplingContent> {
        self.into_iter().map(Into::into).collect()
    }
}
