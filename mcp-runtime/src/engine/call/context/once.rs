//! A part of a nested call that runs once: a phase of a handoff, or a whole tool. It is a step of the caller's record.

use std::pin::Pin;

use serde_json::{from_str, value::RawValue};

use super::stepping::Stepping;
use crate::{
    base::error::{Result, ToolError},
    engine::call::Call,
    wire::protocol::result::{CallToolResult, push_plain_result, read_call_result},
};

/// The future of a call, or of a part of it, such as a phase.
pub type PartFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// How the outcome of a part is recorded. A type without a bound, so that an unsuitable type causes one compile error.
pub struct Recorded<T> {
    /// Writes the outcome as JSON.
    pub write: fn(&Result<T>) -> serde_json::Result<Box<RawValue>>,
    /// Reads a recorded outcome.
    pub read: fn(&str) -> serde_json::Result<Result<T>>,
}

impl Recorded<CallToolResult> {
    pub(crate) const RESULT: Self = Self { write: write_result, read: read_result };
}

impl Call {
    /// Runs a part of a nested call once. A replay returns the recorded outcome. A failure is an outcome, too.
    ///
    /// # Errors
    /// Returns the error of the part, or a [`StepError`](crate::call::StepError).
    pub(crate) async fn once<T>(&self, name: &str, part: PartFuture<'_, T>, recorded: &Recorded<T>) -> Result<T> {
        Stepping::new(self, name, part, recorded.write, recorded.read).run().await?
    }
}

fn write_result(outcome: &Result<CallToolResult>) -> serde_json::Result<Box<RawValue>> {
    let mut text = Vec::new();
    match outcome {
        Ok(result) => push_plain_result(&mut text, result),
        Err(error) => serde_json::to_writer(&mut text, &error.chain())?,
    }
    serde_json::from_slice(&text)
}

fn read_result(text: &str) -> serde_json::Result<Result<CallToolResult>> {
    if text.starts_with('"') {
        return Ok(Err(ToolError::from(from_str::<String>(text)?)));
    }
    read_call_result(text).map(Ok)
}
