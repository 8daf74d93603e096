//! Replies of a model, read as the requested type, and the errors of invalid ones.

use crate::{
    engine::call::{AskError, ask_error::gap},
    wire::protocol::sampling::{Sampled, ToolUse},
};

/// A reply that was read as a `T`. See [`Sample::schema`](super::Sample::schema).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SampledSchema<T> {
    /// The value, if the reply contains one that matches the schema of `T`.
    pub parsed: Result<T, ParseError>,
    /// The reply. If the model called a tool to answer, that call is converted to text.
    pub reply: Sampled,
}

/// A reply that can call tools. See [`Sample::tools`](super::Sample::tools).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SampledTools<E> {
    /// The calls, in the model's order. The list is empty if the model answered in words.
    pub calls: Vec<ToolCall<Result<E, ParseError>>>,
    /// The reply. If the model wrote its calls as text, they are converted into tool calls.
    pub reply: Sampled,
}

/// A reply that is a `T`. See [`Ctx::sample_schema`](crate::Ctx::sample_schema).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GuaranteedSchema<T> {
    /// The value, which matches the whole schema of `T`.
    pub parsed: T,
    /// The reply that contained the value. If the model called a tool to answer, that call is converted to text.
    pub reply: Sampled,
    /// How many times the model was asked.
    pub attempts: u32,
}

/// A reply that calls at least one tool. See [`Ctx::sample_tools`](crate::Ctx::sample_tools).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GuaranteedTools<E> {
    /// The first call.
    pub first: ToolCall<E>,
    /// The calls after the first one, in the model's order.
    pub rest: Vec<ToolCall<E>>,
    /// The reply that contains these calls.
    pub reply: Sampled,
    /// How many times the model was asked.
    pub attempts: u32,
}

/// A tool call by a model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolCall<P> {
    /// The call, converted to the requested type.
    pub parsed: P,
    /// The original call: its id, the tool's name, its input.
    pub tool_use: ToolUse,
}

/// The reason why a reply is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct ParseError {
    /// The errors, written for a model: where each one is, and which values are allowed.
    pub message: String,
    /// The model's original text.
    pub raw_text: String,
}

/// The error of `sample_schema`, `sample_tools` or `sample_loop`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// The model did not answer.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// The model answered, but never with a valid reply.
    #[error(transparent)]
    Validation(#[from] SampleValidation),
}

/// The model never gave a valid reply within the allowed attempts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{method}` got no valid reply (attempts: {attempts}); last error:{gap}{last}",
    gap = gap(&last.message)
)]
#[non_exhaustive]
pub struct SampleValidation {
    /// The method: `sample_schema`, `sample_tools` or `sample_loop`.
    pub method: &'static str,
    /// How many times the model was asked.
    pub attempts: u32,
    /// The error of the model's last reply.
    pub last: ParseError,
}

impl<E> GuaranteedTools<E> {
    /// Returns the first call, converted to the requested type.
    pub fn into_first(self) -> E {
        self.first.parsed
    }

    /// Returns all calls.
    pub fn iter(&self) -> impl Iterator<Item = &ToolCall<E>> {
        std::iter::once(&self.first).chain(&self.rest)
    }
}
