//! `CreateMessageResult`: the reply of a model.

use std::fmt::{self, Display};

use super::message::{SamplingContent, ToolUse};

/// A reply of a model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sampled {
    /// The text of the reply.
    pub text: String,
    /// All parts of the reply.
    pub content: Vec<SamplingContent>,
    /// The name of the model, as reported by the client or the provider.
    pub model: String,
    /// Why the model stopped, if the reply says so.
    pub stop_reason: Option<StopReason>,
    /// The token usage, if the server's own provider reports it. Always `None` for a reply of a client, whatever the
    /// client sends.
    pub usage: Option<TokenUsage>,
}

/// The reason why a model stopped.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// The model finished (`endTurn`).
    EndTurn,
    /// The model wrote one of the stop sequences (`stopSequence`).
    StopSequence,
    /// The reply reached its token limit (`maxTokens`).
    MaxTokens,
    /// The model waits for the results of its tool calls (`toolUse`).
    ToolUse,
    /// Another reason, as the client or the provider reports it.
    Other(String),
}

/// The token usage of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TokenUsage {
    /// Tokens of the request.
    pub input: u64,
    /// Tokens of the reply.
    pub output: u64,
}

impl TokenUsage {
    /// Creates a usage with these counts.
    pub fn new(input: u64, output: u64) -> Self {
        Self { input, output }
    }
}

impl Sampled {
    /// Creates a reply, for a [`SamplingProvider`](crate::sample::SamplingProvider).
    pub fn new(content: Vec<SamplingContent>, model: impl Into<String>) -> Self {
        let text = super::message::text(&content);
        Self { text, content, model: model.into(), stop_reason: None, usage: None }
    }

    /// Sets why the model stopped.
    #[must_use]
    pub fn stopped(mut self, reason: StopReason) -> Self {
        self.stop_reason = Some(reason);
        self
    }

    /// Sets the token usage.
    #[must_use]
    pub fn used(mut self, usage: TokenUsage) -> Self {
        self.usage = Some(usage);
        self
    }

    /// Returns whether the reply was cut off by `max_tokens`.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.stop_reason == Some(StopReason::MaxTokens)
    }

    /// Returns the tool calls, in the order of the reply.
    pub(crate) fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.content.iter().filter_map(SamplingContent::as_tool_use)
    }

    /// Returns all that the model wrote, tool calls included.
    pub(crate) fn raw_text(&self) -> String {
        let calls = self.tool_uses().map(|call| {
            let input = serde_json::to_string(&call.input).unwrap_or_default();
            format!("{}({input})", call.name)
        });
        let text = Some(self.text.clone()).filter(|text| !text.is_empty());
        text.into_iter().chain(calls).collect::<Vec<_>>().join("\n")
    }
}

impl StopReason {
    pub(crate) fn from_wire(name: &str) -> Self {
        let known = [Self::EndTurn, Self::StopSequence, Self::MaxTokens, Self::ToolUse];
        known.into_iter().find(|reason| reason.as_str() == name).unwrap_or_else(|| Self::Other(name.to_owned()))
    }

    /// Returns the reason's name in the protocol.
    pub fn as_str(&self) -> &str {
        match self {
            Self::EndTurn => "endTurn",
            Self::StopSequence => "stopSequence",
            Self::MaxTokens => "maxTokens",
            Self::ToolUse => "toolUse",
            Self::Other(other) => other,
        }
    }
}

impl Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
