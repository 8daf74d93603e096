//! The questions of a call that have no answer yet, and what the call has answered and replayed so far.

use std::{
    sync::{Arc, Weak},
    task::Waker,
    thread::{self, ThreadId},
};

use super::{
    ask_error::AskError,
    journal::{Answered, Journal, RecordedJournal},
    names::Names,
    question::{Answer, WireQuestion},
    replay_cursor::ReplayCursor,
};
use crate::base::clock::Millis;

#[derive(Default)]
pub(super) struct Asks {
    pub(super) open: Vec<Open>,
    pub(super) names: Names,
    /// Wakes the driver, which sends the questions.
    pub(super) driver: Option<Waker>,
    /// The recorded answers of a rebuilt call.
    pub(super) journal: Journal,
    /// The answers, in the order in which the call took them. They are kept only if the call can be rebuilt.
    pub(super) taken: Vec<Arc<Answered>>,
    /// The text of the journal for the record of the call, as far as it is written. `None` if the record has no journal.
    pub(super) recorded: Option<Box<RecordedJournal>>,
    /// Whether the call is still replaying its journal, after the server has rebuilt the call.
    pub(super) replaying: bool,
    /// The current round.
    pub(super) round: u32,
    /// The position of the call in its replay. It identifies each reading of the clock and each random number.
    pub(super) reached: ReplayCursor,
    pub(super) steps: StepGate,
    pub(super) of_round: Vec<Weak<dyn EndsWithRound>>,
}

/// Something that ends when a round of the call ends with questions, such as the observation of a nested call.
pub(crate) trait EndsWithRound: Send + Sync {
    fn end_round(&self);
}

/// The running steps of a call, and the steps that wait until no question is open.
#[derive(Default)]
pub(super) struct StepGate {
    pub(super) running: usize,
    pub(super) waiting: Vec<Waker>,
    /// The thread on which a step is being polled.
    pub(super) polled: Option<ThreadId>,
}

impl StepGate {
    pub(super) fn is_busy(&self) -> bool {
        self.running > 0
    }
}

/// A question that has no answer yet, or whose answer the author's code has not taken yet.
pub(crate) struct Open {
    pub(super) question: WireQuestion,
    pub(super) handed_out: HandedOut,
    pub(super) answer: Option<Arrived>,
    pub(super) waker: Option<Waker>,
}

/// An answer, and the round in which it came.
pub(super) struct Arrived {
    pub(super) answer: Answer,
    pub(super) round: u32,
}

/// Whether a question was sent to the client.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HandedOut {
    No,
    /// The driver has taken the question to send it.
    Taken,
    /// The question was sent in a session, in the request with this number.
    As(u64),
    /// The question is not sent, because the server answers it itself.
    ToServer,
}

impl Asks {
    /// Returns whether a question to the client is unanswered.
    pub(super) fn is_asking(&self) -> bool {
        self.open.iter().any(|ask| ask.answer.is_none() && !ask.is_to_server())
    }

    /// Returns the unanswered questions to the client, in the order in which they were asked, not polled. A repeated
    /// round has the same order.
    pub(super) fn open_questions(&self) -> Vec<WireQuestion> {
        let mut open: Vec<_> = self.unanswered().cloned().collect();
        if open.len() > 1 {
            open.sort_by_cached_key(|question| self.names.position(&question.key));
        }
        open
    }

    /// Returns all answers: those that the call took, in this order, and those that it has not taken yet.
    pub(super) fn answers(&self) -> impl Iterator<Item = Arc<Answered>> {
        let waiting = self.open.iter().filter_map(|ask| {
            let Arrived { answer, round } = ask.answer.as_ref()?;
            Answered::of(ask.question.clone(), answer, *round).map(Arc::new)
        });
        self.taken.iter().chain(&self.journal.answers).cloned().chain(waiting)
    }

    /// Returns whether the call waits only for the client's answers.
    pub(super) fn is_waiting(&self) -> bool {
        !self.is_busy() && self.is_asking()
    }

    /// If no question is open any more, returns the wakers of the steps that waited for this.
    pub(super) fn take_unblocked_steps(&mut self) -> Vec<Waker> {
        if self.is_asking() { Vec::new() } else { std::mem::take(&mut self.steps.waiting) }
    }

    pub(super) fn open(&mut self, mut question: WireQuestion, handed_out: HandedOut) -> Option<Millis> {
        let within_step = self.steps.polled == Some(thread::current().id());
        let answer = if within_step {
            let reason = "a step cannot ask; ask before the step and pass the answer to it".to_owned();
            Some(Arrived { answer: Err(AskError::Question(reason)), round: self.round })
        } else {
            self.feed(&mut question)
        };
        let deadline = question.deadline;
        // Reserves room for only one question: most calls have one at a time, and a call can be parked for a long time.
        self.open.reserve_exact(1);
        self.open.push(Open { question, handed_out, answer, waker: None });
        deadline
    }

    /// Returns the recorded answer to a question. If the question was asked before, restores the question's original
    /// deadline.
    pub(super) fn feed(&mut self, question: &mut WireQuestion) -> Option<Arrived> {
        if let Some(answered) = self.journal.take(&question.name, question.fingerprint) {
            self.replaying &= !answered.fresh;
            question.deadline = answered.deadline;
            return Some(Arrived { answer: answered.answer(), round: answered.round });
        }
        self.replaying = false;
        if let Some(asked) = self.journal.asked(&question.name, question.fingerprint) {
            question.deadline = asked.deadline;
        }
        let drifted = self.journal.miss(&question.key, question.fingerprint).err()?;
        Some(Arrived { answer: Err(drifted), round: self.round })
    }

    /// Returns whether a step is running, or the server still has to answer a question. After the step or the answer,
    /// the call can ask more questions.
    pub(super) fn is_busy(&self) -> bool {
        self.steps.is_busy() || self.open.iter().any(|ask| ask.answer.is_none() && ask.is_to_server())
    }
}

impl Open {
    /// Returns the number of the unanswered request that asks this question.
    pub(crate) fn request(&self) -> Option<u64> {
        match self.handed_out {
            HandedOut::As(number) if self.answer.is_none() => Some(number),
            _ => None,
        }
    }

    /// Wakes the future that waits for this question's answer, so that it notices the end of the call.
    pub(crate) fn wake(self) {
        self.waker.into_iter().for_each(Waker::wake);
    }

    pub(super) fn is_to_server(&self) -> bool {
        self.handed_out == HandedOut::ToServer
    }
}
