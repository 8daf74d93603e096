//! The open questions of a round, and the client's answers to them.

use std::sync::Arc;

use super::{
    Conversation,
    ask_error::AskError,
    asks::Asks,
    question::{AnswerText, WireQuestion},
};
use crate::base::clock::Millis;

impl Conversation {
    /// Calls `at` with the questions to the client that have no answer.
    pub(crate) fn with_open<T>(&self, at: impl FnOnce(&mut dyn Iterator<Item = &WireQuestion>) -> T) -> T {
        at(&mut self.lock().unanswered())
    }

    /// Stores the client's answers to the open questions, by the keys of the questions. If there is no answer to an open
    /// question, every open question gets an error instead. An answer after the question's deadline counts as a timeout.
    pub(crate) fn answer_round(&self, answers: impl IntoIterator<Item = (String, Arc<str>)>, now: Millis) {
        let mut is_answered = false;
        for (key, text) in answers {
            is_answered |= self.answer(&key, self.in_time(&key, now).map(|()| AnswerText::of_client(text)));
        }
        if !is_answered {
            let open: Vec<_> = self.lock().unanswered().map(|question| question.key.clone()).collect();
            for key in open {
                self.answer(&key, self.in_time(&key, now).and(Err(AskError::Unanswered)));
            }
        }
    }

    /// Returns an error if the deadline of this open question has passed. The caller of the author's code replaces the
    /// duration in the error with the time limit of the question.
    fn in_time(&self, key: &str, now: Millis) -> Result<(), AskError> {
        let asks = self.lock();
        let deadline = asks.unanswered().find(|question| question.key == key).and_then(|question| question.deadline);
        let is_late = deadline.is_some_and(|deadline| deadline < now);
        if is_late { Err(AskError::Timeout(std::time::Duration::ZERO)) } else { Ok(()) }
    }
}

impl Asks {
    fn unanswered(&self) -> impl Iterator<Item = &WireQuestion> {
        self.open.iter().filter(|ask| ask.answer.is_none() && !ask.is_to_server()).map(|ask| &ask.question)
    }
}
