//! Steps and questions keep out of each other's way: no step begins while somebody is asked, and nobody is asked while
//! a step is on its way.

use std::{task::Waker, thread::ThreadId};

/// The steps of a call that are on their way, and those that wait until nobody is asked.
#[derive(Default)]
pub(super) struct Gate {
    running: usize,
    waiting: Vec<Waker>,
    /// The thread on which a step is being polled.
    polled: Option<ThreadId>,
}

impl Gate {
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

    /// Those who may look again.
    pub(super) fn take_waiting(&mut self) -> Vec<Waker> {
        std::mem::take(&mut self.waiting)
    }

    /// Gives what it was.
    pub(super) fn set_polled(&mut self, thread: Option<ThreadId>) -> Option<ThreadId> {
        std::mem::replace(&mut self.polled, thread)
    }

    /// Whether code that runs on this thread now is part of a step.
    pub(super) fn is_polled_by(&self, thread: ThreadId) -> bool {
        self.polled == Some(thread)
    }
}
