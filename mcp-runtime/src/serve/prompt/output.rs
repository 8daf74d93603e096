//! Outputs of prompts, and their conversion into results.

use std::{borrow::Cow, fmt::Display};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    base::error::{IntoToolError, ToolError},
    engine::tool::{Text, output::outputs},
    wire::protocol::{
        content::{Content, EmbeddedResource, ResourceLink},
        result::{OtherResult, push_content, push_other_result},
        revision::Revision,
        sampling::Role,
        text::push_json_string,
    },
};

/// One message of a prompt: a role and one block of content.
///
/// ```
/// use mcp_runtime::{Content, prompt::PromptMessage};
///
/// let messages = [
///     PromptMessage::user(Content::image(b"\x89PNG", "image/png")),
///     PromptMessage::user("What does this picture show?"),
///     PromptMessage::assistant("It shows"),
/// ];
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct PromptMessage {
    role: Role,
    content: Content,
}

impl PromptMessage {
    /// Creates a message of the user.
    pub fn user(content: impl Into<Content>) -> Self {
        Self { role: Role::User, content: content.into() }
    }

    /// Creates a message of the model.
    pub fn assistant(content: impl Into<Content>) -> Self {
        Self { role: Role::Assistant, content: content.into() }
    }
}

/// The result of `prompts/get` as the protocol defines it. Most prompts return a simpler type: see [`PromptOutput`].
#[derive(Clone, Debug, Default, Deserialize)]
#[must_use]
pub struct GetPromptResult {
    pub(super) description: Option<String>,
    messages: Vec<PromptMessage>,
    #[serde(rename = "_meta")]
    meta: Option<Map<String, Value>>,
}

impl GetPromptResult {
    /// Creates a result with these messages.
    pub fn new(messages: impl IntoIterator<Item = PromptMessage>) -> Self {
        Self { messages: messages.into_iter().collect(), ..Self::default() }
    }

    /// Sets the description of these messages. Default: the description of the prompt.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Reads the result of another server.
    ///
    /// # Errors
    /// Fails if the text is not a `GetPromptResult`.
    #[cfg(feature = "remote")]
    pub(crate) fn read(text: &str) -> serde_json::Result<Self> {
        let mut result: Self = serde_json::from_str(text)?;
        crate::wire::protocol::result::remove_identity(&mut result.meta);
        Ok(result)
    }

    /// Adds a member to `_meta`.
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.get_or_insert_with(Map::new).insert(key.into(), value.into());
        self
    }
}

impl OtherResult for GetPromptResult {
    fn push(&self, out: &mut Vec<u8>, revision: Revision, server_info: &str) {
        push_other_result(out, self.meta.as_ref(), revision, server_info, |out| {
            if let Some(description) = &self.description {
                out.extend_from_slice(br#""description":"#);
                push_json_string(out, description);
                out.push(b',');
            }
            out.extend_from_slice(br#""messages":["#);
            for (index, PromptMessage { role, content }) in self.messages.iter().enumerate() {
                out.extend_from_slice(if index == 0 { br#"{"role":""# } else { br#",{"role":""# });
                out.extend_from_slice(role.as_str().as_bytes());
                out.extend_from_slice(br#"","content":"#);
                push_content(out, content, revision);
                out.push(b'}');
            }
            out.push(b']');
        });
    }
}

/// A type that a prompt can return.
///
/// | type | what the client gets |
/// | --- | --- |
/// | `String`, `&'static str`, `Cow<'static, str>`, [`Text<T: Display>`](Text) | one message of the user |
/// | [`Content`], [`ResourceLink`], [`EmbeddedResource`] | one message of the user with that block |
/// | [`PromptMessage`] | that message |
/// | `Vec<PromptMessage>`, `[PromptMessage; N]` | these messages |
/// | [`GetPromptResult`] | this result |
/// | `Result<T, E>` | `T`, or an error made from `E` |
#[diagnostic::on_unimplemented(
    message = "a prompt cannot return `{Self}`",
    label = "not a message",
    note = "return text (`String`, `&'static str`, `Text<T>`), a `PromptMessage`, a `Vec<PromptMessage>`, or a `Result` of one of these"
)]
pub trait PromptOutput: Sized {
    /// Converts the value into a result.
    ///
    /// # Errors
    /// Returns the prompt's own error.
    fn into_result(self) -> Result<GetPromptResult, ToolError>;

    // Generated code names only this constant, so that a type without the trait causes only one error.
    #[doc(hidden)]
    const INTO_RESULT: fn(Self) -> Result<GetPromptResult, ToolError> = Self::into_result;
}

outputs! {
    PromptOutput::into_result -> GetPromptResult;
    [] String: text => PromptMessage::user(text).into_result();
    #[diagnostic::do_not_recommend]
    [] &'static str: text => PromptMessage::user(text).into_result();
    #[diagnostic::do_not_recommend]
    [] Cow<'static, str>: text => text.into_owned().into_result();
    [T: Display] Text<T>: Text(value) => value.to_string().into_result();
    [] Content: block => PromptMessage::user(block).into_result();
    #[diagnostic::do_not_recommend]
    [] ResourceLink: block => PromptMessage::user(block).into_result();
    #[diagnostic::do_not_recommend]
    [] EmbeddedResource: block => PromptMessage::user(block).into_result();
    [] PromptMessage: message => Ok(GetPromptResult::new([message]));
    [] Vec<PromptMessage>: messages => Ok(GetPromptResult::new(messages));
    #[diagnostic::do_not_recommend]
    [const N: usize] [PromptMessage; N]: messages => Ok(GetPromptResult::new(messages));
    [] GetPromptResult: result => Ok(result);
    // Not `do_not_recommend`: the compiler must report the error for `T` or `E`, not for the whole `Result`.
    [T: PromptOutput, E: IntoToolError] Result<T, E>: result => {
        result.map_err(IntoToolError::into_tool_error)?.into_result()
    };
}
