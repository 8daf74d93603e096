//! What a model answers, read as what was asked for.

use crate::protocol::sampling::{Sampled, ToolUse};

/// A reply that is to be a `T`. See [`Sample::schema`](super::Sample::schema).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SampledSchema<T> {
    /// The value, if the reply has one that fits the schema of `T`.
    pub parsed: Result<T, ParseError>,
    /// The reply, its answer as text.
    pub reply: Sampled,
}

/// A reply that may call tools. See [`Sample::tools`](super::Sample::tools).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SampledTools<E> {
    /// The calls, in the model's order. None where it answered in words.
    pub calls: Vec<ToolCall<Result<E, ParseError>>>,
    /// The reply as it came.
    pub reply: Sampled,
}

/// A reply that is a `T`. See [`Ctx::sample_schema`](crate::Ctx::sample_schema).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GuaranteedSchema<T> {
    /// The value, which fits the whole schema of `T`.
    pub parsed: T,
    /// The reply that had it, as text.
    pub reply: Sampled,
    /// How often the model was asked.
    pub attempts: u32,
}

/// A reply that calls one tool at least. See [`Ctx::sample_tools`](crate::Ctx::sample_tools).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GuaranteedTools<E> {
    /// The first call.
    pub first: ToolCall<E>,
    /// The others, in the model's order.
    pub rest: Vec<ToolCall<E>>,
    /// The reply that made them.
    pub reply: Sampled,
    /// How often the model was asked.
    pub attempts: u32,
}

/// A call that a model made.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolCall<P> {
    /// What it calls.
    pub parsed: P,
    /// The call as it came: its id, the tool's name, its input.
    pub tool_use: ToolUse,
}

/// Why a reply is not what was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct ParseError {
    /// What is wrong, with the place and what is allowed there: words for a model.
    pub message: String,
    /// What the model wrote.
    pub raw_text: String,
}

impl<E> GuaranteedTools<E> {
    /// What the first call says.
    pub fn into_first(self) -> E {
        self.first.parsed
    }

    /// All calls.
    pub fn iter(&self) -> impl Iterator<Item = &ToolCall<E>> {
        std::iter::once(&self.first).chain(&self.rest)
    }
}
