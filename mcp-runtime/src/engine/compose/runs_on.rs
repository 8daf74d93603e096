//! A call within a call whose step runs to its end, even if its caller drops it.

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
pub(super) struct RunsOn {
    calling: CallFuture,
    call: Call,
}

impl RunsOn {
    pub(super) fn new(calling: CallFuture, call: Call) -> Self {
        Self { calling, call }
    }

    pub(super) fn poll_calling(&mut self, cx: &mut Context<'_>) -> Poll<Result<CallToolResult>> {
        self.calling.as_mut().poll(cx)
    }
}

impl Future for RunsOn {
    type Output = Result<CallToolResult>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.poll_calling(cx)
    }
}

impl Drop for RunsOn {
    fn drop(&mut self) {
        let is_in_step = |call: &Call| call.nested().is_some_and(|nested| nested.steps.is_running());
        if !is_in_step(&self.call) {
            return;
        }
        let (mut calling, call) = (replace(&mut self.calling, Box::pin(pending())), self.call.clone());
        let server = self.call.0.server.clone();
        Durable::of(&*server).detached.spawn(async move {
            poll_fn(|cx| {
                let ended = calling.as_mut().poll(cx).is_ready() || !is_in_step(&call);
                if ended { Poll::Ready(()) } else { Poll::Pending }
            })
            .await;
        });
    }
}
