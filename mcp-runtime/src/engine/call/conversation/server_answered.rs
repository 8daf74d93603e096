//! Questions that the server answers itself. While such a question is open, the client is not asked, and cannot answer
//! it. The journal records that the server answered.

use std::{sync::Arc, task::Waker};

use super::{AnswerText, Asks, Conversation, HandedOut, Open, WireQuestion};
use crate::engine::call::{ask_error::AskError, journal::Answerer};

impl Asks {
    /// Returns whether a step is running, or the server still has to answer a question. After the step or the answer,
    /// the call can ask more questions.
    pub(super) fn is_busy(&self) -> bool {
        self.steps.is_busy() || self.open.iter().any(|ask| ask.answer.is_none() && ask.is_to_server())
    }
}

impl Open {
    pub(super) fn is_to_server(&self) -> bool {
        self.handed_out == HandedOut::ToServer
    }
}

impl Conversation {
    /// Opens a question that the server answers itself. Returns `false` if the journal already has the answer, or if
    /// the call has ended.
    pub(crate) fn seek(&self, question: WireQuestion) -> bool {
        let mut asks = self.lock();
        if self.is_over() {
            return false;
        }
        asks.open(question, HandedOut::ToServer);
        asks.open.last().is_some_and(|ask| ask.answer.is_none())
    }

    /// Stores the server's answer, or why it has none. The driver can then send the questions that the call asked before
    /// the answer came.
    pub(crate) fn found(&self, key: &str, answer: Result<Arc<str>, AskError>) {
        self.store(key, answer.map(|text| AnswerText { text, by: Answerer::Server }), Open::is_to_server);
        let driver = self.lock().driver.take();
        driver.into_iter().for_each(Waker::wake);
    }
}
