//! `CreateMessageResult`: what a model answers.

use std::fmt::{self, Display};

use super::message::{SamplingContent, ToolUse};

/// A reply of a model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sampled {
    /// What of the reply is text.
    pub text: String,
    /// The whole reply.
    pub content: Vec<SamplingContent>,
    /// The name of the model, as the client or the provider gives it.
    pub model: String,
    /// Why the model stopped, if the reply says so.
    pub stop_reason: Option<StopReason>,
    /// What it took, where it is told: clients never do.
    pub usage: Option<TokenUsage>,
}

/// Why a model stopped.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// It was done (`endTurn`).
    EndTurn,
    /// It wrote one of the stop sequences (`stopSequence`).
    StopSequence,
    /// It was cut off (`maxTokens`).
    MaxTokens,
    /// It waits for what comes of its calls (`toolUse`).
    ToolUse,
    /// Something else, in the words of whoever answered.
    Other(String),
}

/// The tokens of a request and its reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TokenUsage {
    /// Of what was asked.
    pub input: u64,
    /// Of what was answered.
    pub output: u64,
}

impl TokenUsage {
    /// So many.
    pub fn new(input: u64, output: u64) -> Self {
        Self { input, output }
    }
}

impl Sampled {
    /// A reply, as a [`SamplingProvider`](crate::sample::SamplingProvider) gives it.
    pub fn new(content: Vec<SamplingContent>, model: impl Into<String>) -> Self {
        let text = super::message::text(&content);
        Self { text, content, model: model.into(), stop_reason: None, usage: None }
    }

    /// The same, with why the model stopped.
    #[must_use]
    pub fn stopped(mut self, reason: StopReason) -> Self {
        self.stop_reason = Some(reason);
        self
    }

    /// The same, with what it took.
    #[must_use]
    pub fn used(mut self, usage: TokenUsage) -> Self {
        self.usage = Some(usage);
        self
    }

    /// Whether it was cut off by `max_tokens`.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.stop_reason == Some(StopReason::MaxTokens)
    }

    /// The calls in it, in the model's order.
    pub(crate) fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.content.iter().filter_map(SamplingContent::as_tool_use)
    }

    /// What the model wrote, calls included.
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
        match name {
            "endTurn" => Self::EndTurn,
            "stopSequence" => Self::StopSequence,
            "maxTokens" => Self::MaxTokens,
            "toolUse" => Self::ToolUse,
            other => Self::Other(other.to_owned()),
        }
    }

    /// The protocol's word for it.
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
