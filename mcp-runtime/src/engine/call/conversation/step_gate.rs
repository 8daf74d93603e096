//! Keeps steps and questions apart: no step begins while a question is open, and no question is sent while a step runs.

use std::{task::Waker, thread::ThreadId};

/// The running steps of a call, and the steps that wait until no question is open.
#[derive(Default)]
pub(super) struct StepGate {
    running: usize,
    waiting: Vec<Waker>,
    /// The thread on which a step is being polled.
    polled: Option<ThreadId>,
}

impl StepGate {
    pub(super) fn is_busy(&self) -> bool {
        self.running > 0
    }

    pub(super) fn enter(&mut self) {
        self.running += 1;
    }

    pub(super) fn leave(&mut self) {
        self.running -= 1;
    }

    pub(super) fn wait(&mut self, waker: &Waker) {
        if !self.waiting.iter().any(|known| known.will_wake(waker)) {
            self.waiting.push(waker.clone());
        }
    }

    /// Takes the wakers of the waiting steps.
    pub(super) fn take_waiting(&mut self) -> Vec<Waker> {
        std::mem::take(&mut self.waiting)
    }

    /// Sets the thread on which a step is being polled. Returns the previous value.
    pub(super) fn set_polled(&mut self, thread: Option<ThreadId>) -> Option<ThreadId> {
        std::mem::replace(&mut self.polled, thread)
    }

    /// Whether the code running on this thread is part of a step.
    pub(super) fn is_polled_by(&self, thread: ThreadId) -> bool {
        self.polled == Some(thread)
    }
}
