//! Driving a call: from its future to its result.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};

use super::CallState;
use crate::{
    error::ToolError,
    tool::{CallToolResult, Calling, output::UnserializableOutput},
    wire::error::RpcError,
};

/// A first poll that takes longer than this has held up everybody: the tool's later calls are polled elsewhere.
const LONG_POLL: Duration = Duration::from_millis(10);

/// A call on its way: the author's future, and what ends it.
pub(crate) struct Running {
    calling: Calling,
    call: Arc<CallState>,
    /// Set by the first poll that finds the future pending.
    deadline: Option<Pin<Box<tokio::time::Sleep>>>,
}

impl Running {
    pub(crate) fn new(calling: Calling, call: Arc<CallState>) -> Self {
        Self { calling, call, deadline: None }
    }

    pub(crate) fn call(&self) -> &Arc<CallState> {
        &self.call
    }

    /// Whether the tool has held up its thread before: it is not polled where others wait.
    pub(crate) fn blocks(&self) -> bool {
        self.call.server.registry.at(self.call.tool).is_blocking()
    }

    /// Polls the future where it stands: most tools that need not wait are done with it, and need no task.
    pub(crate) fn poll_once(&mut self) -> Poll<Result<CallToolResult, RpcError>> {
        let start = Instant::now();
        let outcome = self.poll_calling(&mut Context::from_waker(Waker::noop()));
        if LONG_POLL < start.elapsed() {
            self.call.server.registry.at(self.call.tool).set_blocking();
        }
        outcome
    }

    fn poll_calling(&mut self, cx: &mut Context<'_>) -> Poll<Result<CallToolResult, RpcError>> {
        // The error's own text is the author's code as well.
        let polled = catch_unwind(AssertUnwindSafe(|| {
            self.calling.as_mut().poll(cx).map(|outcome| outcome.or_else(|error| self.failed(&error)))
        }));
        let outcome = match polled {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(outcome)) => outcome,
            Err(_) => Ok(panicked(self.call.tool_name())),
        };
        self.call.end.finish();
        Poll::Ready(outcome)
    }

    /// What the client gets for a tool's error.
    fn failed(&self, error: &ToolError) -> Result<CallToolResult, RpcError> {
        if let Some(error) = error.downcast_ref::<UnserializableOutput>() {
            crate::report!("tool `{}`: {error}", self.call.tool_name());
            return Err(RpcError::internal(format!("The tool `{}` gave no valid result", self.call.tool_name())));
        }
        let (is_error, message) = (self.call.server.error_mapper)(error);
        Ok(CallToolResult { is_error, ..CallToolResult::error(message) })
    }

    /// The limit of this tool's running time, counted from the first time somebody waits for it.
    fn poll_deadline(&mut self, cx: &mut Context<'_>) -> Poll<CallToolResult> {
        let definition = &self.call.server.registry.at(self.call.tool).definition;
        let Some(timeout) = definition.timeout else { return Poll::Pending };
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep(timeout)));
        deadline.as_mut().poll(cx).map(|()| {
            let message = format!("the tool `{}` did not finish within {timeout:?}", definition.name);
            self.call.end.cancel();
            CallToolResult::error(message)
        })
    }
}

/// The result of a call that panicked. The message of the panic went to standard error: it is not for the model.
pub(crate) fn panicked(tool: &str) -> CallToolResult {
    CallToolResult::error(format!("internal error: the tool `{tool}` panicked"))
}

impl Future for Running {
    type Output = Result<CallToolResult, RpcError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.poll_calling(cx) {
            Poll::Pending => self.poll_deadline(cx).map(Ok),
            ready => ready,
        }
    }
}

impl Drop for Running {
    /// Whatever the call started and still holds its context learns that nobody waits for it.
    fn drop(&mut self) {
        if !self.call.end.is_over() {
            self.call.end.cancel();
        }
    }
}
