//! The future of a call, as the runtime polls it: within its time, observed, and with a panic as a result.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{Arc, OnceLock, atomic::AtomicBool, atomic::Ordering},
    task::{Context, Poll, Waker},
    time::Duration,
};

use super::{limits::Deadline, round_observer::CallObserver};
use crate::{
    base::{error::ToolError, report::report_limited},
    engine::call::call_target::CallTarget,
    wire::protocol::result::CallToolResult,
};

/// The future `F` of a call, which the observer `W` observes.
pub(crate) struct Execution<F, W: CallObserver> {
    pub(crate) calling: F,
    pub(super) layers: Option<Arc<LayerSignals>>,
    pub(super) deadline: Deadline,
    pub(crate) watch: W,
}

/// What the runtime and the layers around a call tell each other.
#[derive(Default)]
pub(crate) struct LayerSignals {
    /// The message of the error result with which the layers must end the call at their next poll.
    pub(crate) ended: OnceLock<String>,
    /// Whether the tool or a layer panicked.
    pub(crate) panicked: AtomicBool,
}

impl<F, W> Execution<F, W>
where
    F: Future<Output = Result<CallToolResult, ToolError>> + Unpin,
    W: CallObserver,
{
    pub(crate) fn new(calling: F, layers: Option<Arc<LayerSignals>>, timeout: Option<Duration>, watch: W) -> Self {
        Self { calling, layers, deadline: Deadline::new(timeout), watch }
    }

    /// Polls the future. A panic becomes an error result, and so does a result with a number that is not finite.
    /// `failed` maps an error of the tool or of a layer.
    pub(crate) fn poll<E>(
        &mut self,
        cx: &mut Context<'_>,
        tool: &dyn CallTarget,
        described: impl Fn() -> String,
        failed: impl FnOnce(ToolError) -> Result<CallToolResult, E>,
    ) -> Poll<Result<CallToolResult, E>> {
        let _entered = self.watch.enter();
        let calling = Pin::new(&mut self.calling);
        // Formatting the error also runs the author's code.
        let polled = catch_unwind(AssertUnwindSafe(|| calling.poll(cx).map(|outcome| outcome.or_else(failed))));
        let outcome = match polled {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(mut outcome)) => {
                if let Ok(result) = &mut outcome
                    && let Some(error) = non_finite_number(result, tool, &described)
                {
                    *result = error;
                }
                outcome
            }
            Err(_) => {
                self.watch.panicked();
                Ok(panicked(&described()))
            }
        };
        if self.layers.as_ref().is_some_and(|layers| layers.panicked.load(Ordering::Relaxed)) {
            self.watch.panicked();
        }
        Poll::Ready(outcome)
    }

    /// Checks the timeout. Time in which the call `is_waiting` for answers does not count. If the time is over, returns
    /// the message for the model.
    pub(crate) fn poll_deadline(
        &mut self,
        cx: &mut Context<'_>,
        is_waiting: bool,
        described: impl Fn() -> String,
    ) -> Poll<String> {
        if is_waiting {
            self.deadline.pause();
            return Poll::Pending;
        }
        self.deadline.poll(cx).map(|timeout| {
            self.watch.timed_out();
            format!("the {} did not finish within {timeout:?}", described())
        })
    }

    /// Makes the layers end the call with an error, although the tool still runs. The layers are polled only once,
    /// because the timeout has passed.
    pub(crate) fn end_in_layers<E>(
        &mut self,
        message: &str,
        failed: impl FnOnce(ToolError) -> Result<CallToolResult, E>,
    ) -> Option<Result<CallToolResult, E>> {
        self.layers.as_ref()?.ended.get_or_init(|| message.to_owned());
        let _entered = self.watch.enter();
        let calling = Pin::new(&mut self.calling);
        let polled = catch_unwind(AssertUnwindSafe(|| {
            calling.poll(&mut Context::from_waker(Waker::noop())).map(|outcome| outcome.or_else(failed))
        }));
        match polled {
            Ok(Poll::Ready(outcome)) => Some(outcome),
            Ok(Poll::Pending) | Err(_) => None,
        }
    }
}

/// Returns the result of a call that panicked. The panic message is written to standard error, and the model does not
/// get it.
pub(crate) fn panicked(described: &str) -> CallToolResult {
    CallToolResult::error(format!("internal error: the {described} panicked"))
}

/// Returns an error if the result has a number that is not finite. Such a number is written as `null`, which the tool's
/// output schema does not allow, so clients would reject the result without an explanation.
fn non_finite_number(
    result: &CallToolResult,
    tool: &dyn CallTarget,
    described: impl Fn() -> String,
) -> Option<CallToolResult> {
    let content = result.structured.as_deref().filter(|_| !result.is_error)?;
    let place = tool.non_finite_number(content)?;
    let message =
        format!("the result of the {} has a number that is not finite, which JSON cannot carry: {place}", described());
    report_limited!("{message}");
    Some(CallToolResult::error(message))
}
