//! A conversation with a model, put together in an order that every model takes.

use crate::protocol::{
    content::Content,
    sampling::{Role, Sampled, SamplingContent, SamplingMessage, ToolResult},
};

/// A conversation with a model so far: what [`Ctx::sample`](crate::Ctx::sample) is given, where one text is not enough.
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
/// What models demand of calls of tools holds by how it is built: [`answered`](Self::answered) adds a model's calls and
/// what came of each of them together, and nothing else can add either (protocol, "Tool Use in Sampling").
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Messages(Vec<SamplingMessage>);

/// What came of a model's calls does not fit them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MessagesError {
    /// Nothing came of a call.
    #[error("the call `{id}` of `{tool}` has no result; each call of a reply needs one: `call.tool_use.result(…)`")]
    Missing {
        /// The call.
        id: String,
        /// The tool it calls.
        tool: String,
    },
    /// A result of no call.
    #[error("there is no call `{0}` in the reply")]
    Unknown(String),
    /// A second result of a call.
    #[error("the call `{0}` has two results")]
    Twice(String),
}

impl Messages {
    /// A conversation that has not begun.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what is said to the model: text, or blocks with pictures and sounds.
    pub fn user(self, content: impl IntoBlocks) -> Self {
        self.with(Role::User, content.into_blocks())
    }

    /// Adds what the model said, or is to have said.
    pub fn assistant(self, content: impl IntoBlocks) -> Self {
        self.with(Role::Assistant, content.into_blocks())
    }

    /// Adds a reply that calls no tools, for the conversation to go on. The text of one that does is added alone.
    pub fn reply(self, reply: &Sampled) -> Self {
        let content = reply.content.iter().filter(|part| part.as_tool_use().is_none()).cloned().collect();
        self.with(Role::Assistant, content)
    }

    /// Adds a reply that calls tools, and what came of each call. Without calls it is as [`reply`](Self::reply).
    ///
    /// # Errors
    /// A call has no result, or a result no call: models refuse such a conversation.
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

    /// The messages, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &SamplingMessage> {
        self.0.iter()
    }

    /// These, and then those.
    pub(crate) fn followed_by(mut self, messages: Self) -> Self {
        self.0.extend(messages.0);
        self
    }

    pub(crate) fn into_vec(self) -> Vec<SamplingMessage> {
        self.0
    }

    /// A message of nothing is none.
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

/// What a message may be made of: text, a block, or several.
#[diagnostic::on_unimplemented(
    message = "a message to a model is not made of `{Self}`",
    label = "neither text nor a block",
    note = "write text (`&str`, `String`), a `Content`, or an array or `Vec` of such blocks"
)]
pub trait IntoBlocks {
    /// The parts of the message.
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
