//! Steps of a call, seen from its conversation: while one is on its way nobody is asked, and the other way round.

use std::{
    task::{Context, Poll, Waker},
    thread,
};

use super::Conversation;

impl Conversation {
    /// Counts a step in, as soon as nobody is asked. Never once the call has ended.
    pub(crate) fn poll_begin_step(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut asks = self.lock();
        if self.is_over() {
            return Poll::Pending;
        }
        if asks.is_asking() {
            asks.steps.wait(cx.waker());
            return Poll::Pending;
        }
        asks.steps.enter();
        Poll::Ready(())
    }

    /// Counts a step out.
    pub(crate) fn end_step(&self) {
        let mut asks = self.lock();
        asks.steps.leave();
        // What was asked meanwhile can be handed out now.
        let driver = if asks.steps.is_busy() { None } else { asks.driver.take() };
        drop(asks);
        driver.into_iter().for_each(Waker::wake);
    }

    /// Whether a step is on its way.
    pub(crate) fn is_in_step(&self) -> bool {
        self.looks(|asks| asks.steps.is_busy())
    }

    /// Runs a part of a step. Whoever asks in it is told that this cannot be.
    pub(crate) fn within_step<T>(&self, part: impl FnOnce() -> T) -> T {
        let outer = self.lock().steps.set_polled(Some(thread::current().id()));
        let output = part();
        self.lock().steps.set_polled(outer);
        output
    }
}
