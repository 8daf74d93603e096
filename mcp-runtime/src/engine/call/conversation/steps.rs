//! The steps of a call. No step begins while a question is open, and no question is sent while a step runs.

use std::{
    task::{Context, Poll, Waker},
    thread,
};

use super::Conversation;

impl Conversation {
    /// Begins a step as soon as no question is open. After the end of the call, no step begins.
    pub(crate) fn poll_begin_step(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut asks = self.lock();
        if self.is_over() {
            return Poll::Pending;
        }
        if asks.is_asking() {
            let waiting = &mut asks.steps.waiting;
            if !waiting.iter().any(|known| known.will_wake(cx.waker())) {
                waiting.push(cx.waker().clone());
            }
            return Poll::Pending;
        }
        asks.steps.running += 1;
        Poll::Ready(())
    }

    pub(crate) fn end_step(&self) {
        let mut asks = self.lock();
        asks.steps.running -= 1;
        // Lets the driver send the questions that were asked while the step ran.
        let driver = if asks.steps.is_busy() { None } else { asks.driver.take() };
        drop(asks);
        driver.into_iter().for_each(Waker::wake);
    }

    /// Whether a step is running.
    pub(crate) fn is_in_step(&self) -> bool {
        self.check(|asks| asks.steps.is_busy())
    }

    /// Calls `part`, which polls a step. If the step asks a question, the question fails.
    pub(crate) fn within_step<T>(&self, part: impl FnOnce() -> T) -> T {
        let outer = self.lock().steps.polled.replace(thread::current().id());
        let output = part();
        self.lock().steps.polled = outer;
        output
    }
}
