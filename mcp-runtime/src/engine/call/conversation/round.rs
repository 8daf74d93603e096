//! The open questions of a round, and the client's answers to them.

use std::{sync::Weak, time::Duration};

use super::{
    Conversation,
    ask_error::AskError,
    asks::{Asks, EndsWithRound},
    question::{AnswerText, WireQuestion},
};
use crate::{base::clock::Millis, wire::protocol::params::InputResponses};

impl Conversation {
    /// Ends `what` when the current round ends with questions, if it still exists then.
    #[allow(dead_code, reason = "the features decide whether nested calls are observed")]
    pub(crate) fn end_with_round(&self, what: Weak<dyn EndsWithRound>) {
        let mut asks = self.lock();
        asks.of_round.retain(|other| other.strong_count() > 0);
        asks.of_round.push(what);
    }

    /// Records that the current round ends with questions.
    pub(crate) fn end_round(&self) {
        // Without the lock: a subscriber runs the author's code. The last one begun ends first, because it is inside.
        let of_round = std::mem::take(&mut self.lock().of_round);
        of_round.into_iter().rev().filter_map(|what| what.upgrade()).for_each(|what| what.end_round());
    }

    /// Returns the current round.
    #[allow(dead_code, reason = "the features decide whether nested calls are observed")]
    pub(crate) fn round(&self) -> u32 {
        self.lock().round
    }

    /// Calls `at` with the questions to the client that have no answer.
    pub(crate) fn with_open<T>(&self, at: impl FnOnce(&mut dyn Iterator<Item = &WireQuestion>) -> T) -> T {
        at(&mut self.lock().unanswered())
    }

    /// Stores the client's answers to the open questions, by the keys of the questions. If there is no answer to an open
    /// question, every open question gets an error instead. An answer after the question's deadline counts as a timeout.
    pub(crate) fn answer_round(&self, answers: InputResponses<'_>, now: Millis) {
        // The author's code replaces the duration in the error with the time limit of the question.
        let in_time = |question: &WireQuestion, answer| match question.deadline {
            Some(deadline) if deadline < now => Err(AskError::Timeout(Duration::ZERO)),
            _ => answer,
        };
        let answer =
            |key: &str, answer| self.store(key, |question| in_time(question, answer), |ask| !ask.is_to_server());
        let mut is_answered = false;
        for (key, text) in answers {
            is_answered |= answer(&key, Ok(AnswerText::of_client(&*text)));
        }
        if !is_answered {
            let open: Vec<_> = self.lock().unanswered().map(|question| question.key.clone()).collect();
            for key in open {
                answer(&key, Err(AskError::Unanswered));
            }
        }
    }
}

impl Asks {
    pub(super) fn unanswered(&self) -> impl Iterator<Item = &WireQuestion> {
        self.open.iter().filter(|ask| ask.answer.is_none() && !ask.is_to_server()).map(|ask| &ask.question)
    }
}
