//! A call within a call whose steps run to their end, even if its caller drops it.

use std::{
    future::{pending, poll_fn},
    mem::replace,
    pin::Pin,
    task::{Context, Poll},
};

use crate::{
    base::error::Result,
    engine::{
        call::{Call, running::CallFuture},
        durable::Durable,
    },
    wire::protocol::result::CallToolResult,
};

/// The future of a call within a call. If it is dropped, its open questions are withdrawn, and a step of it that has
/// begun runs to its end in a task.
pub(crate) struct RunsOn {
    calling: CallFuture,
    call: Call,
    /// Whether to drop the future with this value: it has ended, or is a part of a step, whose outcome is recorded.
    is_bound: bool,
}

impl RunsOn {
    pub(crate) fn new(calling: CallFuture, call: Call) -> Self {
        Self { calling, call, is_bound: false }
    }

    /// Creates the future of a tool that is one step as a whole.
    pub(super) fn in_step(calling: CallFuture, call: Call) -> Self {
        Self { calling, call, is_bound: true }
    }

    /// Whether a step has begun that runs to its end if this future is dropped.
    pub(super) fn runs_on(&self) -> bool {
        !self.is_bound && is_in_step(&self.call)
    }
}

impl Future for RunsOn {
    type Output = Result<CallToolResult>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let polled = self.calling.as_mut().poll(cx);
        self.is_bound |= polled.is_ready();
        polled
    }
}

impl Drop for RunsOn {
    fn drop(&mut self) {
        if !self.runs_on() {
            return;
        }
        let (mut calling, call) = (replace(&mut self.calling, Box::pin(pending())), self.call.clone());
        call.nested().inspect(|nested| nested.set_dropped());
        let server = self.call.0.server.clone();
        Durable::of(&*server).detached.spawn(async move {
            poll_fn(|cx| {
                let has_ended = calling.as_mut().poll(cx).is_ready() || !is_in_step(&call);
                if has_ended { Poll::Ready(()) } else { Poll::Pending }
            })
            .await;
        });
    }
}

fn is_in_step(call: &Call) -> bool {
    call.nested().is_some_and(|nested| nested.steps.is_running())
}
