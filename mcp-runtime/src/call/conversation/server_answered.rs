//! Questions to which the server finds the answer itself: while one is sought nobody else is asked, and what is found
//! is remembered like any other answer.

use std::{sync::Arc, task::Waker};

use serde_json::value::RawValue;

use super::{Asks, Conversation, HandedOut, Open, Question};

impl Asks {
    /// Whether something is on its way after which there may be more to ask, or less.
    pub(super) fn is_busy(&self) -> bool {
        self.steps.is_busy() || self.open.iter().any(|ask| ask.answer.is_none() && ask.is_sought())
    }
}

impl Open {
    pub(super) fn is_sought(&self) -> bool {
        self.handed_out == HandedOut::Within
    }
}

impl Conversation {
    /// Opens a question. Whether its answer is still to be found: a call that was rebuilt has it.
    pub(crate) fn seek(&self, question: Question) -> bool {
        let mut asks = self.lock();
        if self.is_over() {
            return false;
        }
        asks.open(question, HandedOut::Within);
        asks.open.last().is_some_and(|ask| ask.answer.is_none())
    }

    /// Puts the answer in that was found. What was asked meanwhile can be handed out now.
    pub(crate) fn found(&self, key: &str, answer: Arc<RawValue>) {
        self.answer(key, Ok(answer));
        let driver = self.lock().driver.take();
        driver.into_iter().for_each(Waker::wake);
    }
}
