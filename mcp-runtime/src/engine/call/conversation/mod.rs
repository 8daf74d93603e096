//! The questions of a call, and their answers.
//!
//! The conversation does not know the transport. A question suspends the author's future. The driver takes the
//! questions out, sends them as the client's revision requires, and stores the answers.

pub(crate) mod ask_error;
mod asks;
pub(crate) mod journal;
mod journalled;
pub(crate) mod names;
pub(crate) mod question;
mod replay_cursor;
mod round;
mod steps;

use std::{
    borrow::Cow,
    ops::{Deref, DerefMut},
    sync::{
        Arc, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
    time::Duration,
};

use self::{
    ask_error::AskError,
    asks::{Arrived, Asks, HandedOut},
    journal::Answered,
};
pub(crate) use self::{
    asks::{EndsWithRound, Open},
    question::{Answer, AnswerText, Answerer, Fingerprint, WireQuestion, fingerprint},
};
use crate::base::{clock::Millis, mutex::Mutex};

/// The questions of one call. The first question allocates the memory for them, because most calls ask no question.
#[derive(Default)]
pub(crate) struct Conversation {
    asks: Mutex<Option<Box<Asks>>>,
    /// Whether the call has ended. Later questions stay unanswered.
    over: AtomicBool,
}

/// An answer that the author's code takes.
pub(super) struct Taken {
    pub(super) answer: Answer,
    /// The method of the question, if the answer came in the current round.
    pub(super) now_answered: Option<&'static str>,
}

/// The locked questions of a call. The first lock allocates the memory for them.
struct Locked<'a>(MutexGuard<'a, Option<Box<Asks>>>);

impl Conversation {
    /// Returns whether the call waits only for the client's answers. If so, `driver` is woken when the call can
    /// continue.
    pub(crate) fn is_waiting(&self, driver: &Waker) -> bool {
        let mut asks = self.lock();
        asks.driver = Some(driver.clone());
        asks.is_waiting()
    }

    /// Forgets the waker of the driver. The driver is polling the call now, and looks for new questions after the poll.
    pub(crate) fn forget_driver(&self) {
        if let Some(asks) = self.peek().as_deref_mut() {
            asks.driver = None;
        }
    }

    /// Returns whether the call waits only for the client's answers.
    pub(crate) fn is_waiting_for_client(&self) -> bool {
        self.check(Asks::is_waiting)
    }

    /// Returns whether a question to the client is unanswered.
    pub(crate) fn is_asking(&self) -> bool {
        self.check(Asks::is_asking)
    }

    /// Takes the first question that was not sent yet.
    pub(crate) fn take_new(&self) -> Option<WireQuestion> {
        let mut asks = self.lock();
        let is_new = |ask: &&mut Open| ask.handed_out == HandedOut::No && ask.answer.is_none();
        let ask = asks.open.iter_mut().find(is_new)?;
        ask.handed_out = HandedOut::Taken;
        Some(ask.question.clone())
    }

    /// Records that the question was sent in the request with this number.
    pub(crate) fn handed_out(&self, key: &str, number: u64) {
        if let Some(ask) = self.lock().open.iter_mut().find(|ask| ask.question.key == key) {
            ask.handed_out = HandedOut::As(number);
        }
    }

    /// Stores an answer of the client, and returns whether a question to the client was waiting for it. Only the first
    /// answer counts.
    pub(crate) fn answer(&self, key: &str, answer: Answer) -> bool {
        self.store(key, |_| answer, |ask| !ask.is_to_server())
    }

    fn store(&self, key: &str, answer: impl FnOnce(&WireQuestion) -> Answer, may_answer: fn(&Open) -> bool) -> bool {
        let mut asks = self.lock();
        let round = asks.round;
        let waits = |ask: &&mut Open| ask.question.key == key && ask.answer.is_none() && may_answer(ask);
        let Some(ask) = asks.open.iter_mut().find(waits) else { return false };
        ask.answer = Some(Arrived { answer: answer(&ask.question), round });
        let waker = ask.waker.take();
        let steps = asks.take_unblocked_steps();
        drop(asks);
        waker.into_iter().chain(steps).for_each(Waker::wake);
        true
    }

    /// Stores an answer that the client sent before the call asked the question. Returns whether the answer was
    /// accepted. After `before` has ended, no such answer is accepted, because questions then depend on the result of
    /// `before`.
    pub(crate) fn answer_early(&self, key: &str, answer: Arc<str>) -> bool {
        let takes = |ask: &Open| ask.question.key == key && !ask.question.must_ask && !ask.is_to_server();
        let asks = self.lock();
        let takes = asks.journal.handoff.is_none() && asks.open.iter().any(takes);
        drop(asks);
        takes && self.answer(key, Ok(AnswerText::of_client(answer)))
    }

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
        let answer = answer.map(|text| AnswerText { text, by: Answerer::Server });
        self.store(key, |_| answer, Open::is_to_server);
        let driver = self.lock().driver.take();
        driver.into_iter().for_each(Waker::wake);
    }

    /// Records that the round with this number begins.
    pub(crate) fn enter(&self, round: u32) {
        self.lock().round = round;
    }

    /// Returns whether the call is still replaying its journal, after the server has rebuilt the call.
    pub(crate) fn is_replaying(&self) -> bool {
        self.check(|asks| asks.replaying)
    }

    /// Returns the round of the last answer that the call took.
    pub(crate) fn answered_in(&self) -> u32 {
        self.lock().reached.round
    }

    pub(crate) fn reserve(&self, name: Cow<'static, str>) -> Cow<'static, str> {
        self.lock().names.reserve(name)
    }

    /// Reserves the name of a step or of a nested call, and returns its key. `kind` separates these names from those of
    /// other kinds and of questions, which can be the same.
    pub(crate) fn reserve_as(&self, kind: &str, name: &str) -> String {
        let mut key = self.reserve(format!("{kind}:{name}").into()).into_owned();
        key.drain(..=kind.len());
        key
    }

    pub(super) fn give_back(&self, name: &str, key: &str) {
        self.lock().names.give_back(name, key);
    }

    /// Ends the conversation. Returns the questions that spawned tasks still ask. These questions stay unanswered.
    pub(crate) fn end(&self) -> Vec<Open> {
        self.over.store(true, Ordering::Release);
        let mut asks = self.peek();
        let Some(asks) = asks.as_deref_mut() else { return Vec::new() };
        // Breaks a reference cycle: the waker of the driver can hold the call, and the call holds this conversation.
        asks.driver = None;
        std::mem::take(&mut asks.open)
    }

    /// Opens a question, and returns the deadline for its answer.
    pub(super) fn open(&self, question: WireQuestion) -> Option<Millis> {
        let mut asks = self.lock();
        if self.is_over() {
            return None;
        }
        let deadline = asks.open(question, HandedOut::No);
        let driver = asks.driver.take();
        drop(asks);
        driver.into_iter().for_each(Waker::wake);
        deadline
    }

    /// Polls for an answer. If the deadline has passed (`late`), an answer counts as a timeout.
    pub(super) fn poll_answer(&self, key: &str, late: bool, keep: bool, cx: &mut Context<'_>) -> Poll<Taken> {
        let mut asks = self.lock();
        let Some(index) = asks.open.iter().position(|ask| ask.question.key == key) else {
            return Poll::Ready(Taken { answer: Err(AskError::Disconnected), now_answered: None });
        };
        if let Some(Arrived { answer, round }) = asks.open[index].answer.take() {
            let Open { question, .. } = asks.open.remove(index);
            let answer = if late { Err(AskError::Timeout(Duration::ZERO)) } else { answer };
            if late {
                // The text for the record may contain the answer that came too late.
                asks.recorded = None;
            }
            asks.reached.answer(&question.key, round);
            let now_answered = (round == asks.round).then_some(question.method);
            if keep {
                asks.taken.extend(Answered::of(question, &answer, round).map(Arc::new));
            }
            return Poll::Ready(Taken { answer, now_answered });
        }
        asks.open[index].waker = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Removes a question. Returns the number of the request that asks it, if that request is unanswered.
    pub(super) fn close(&self, key: &str) -> Option<u64> {
        let mut asks = self.lock();
        let index = asks.open.iter().position(|ask| ask.question.key == key)?;
        let closed = asks.open.remove(index);
        let steps = asks.take_unblocked_steps();
        let driver = closed.is_to_server().then(|| asks.driver.take()).flatten();
        drop(asks);
        steps.into_iter().chain(driver).for_each(Waker::wake);
        closed.request()
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    fn lock(&self) -> Locked<'_> {
        let mut asks = self.peek();
        asks.get_or_insert_default();
        Locked(asks)
    }

    /// Returns the result of `at` for the questions. Returns `false` if the call never asked.
    fn check(&self, at: impl FnOnce(&Asks) -> bool) -> bool {
        self.peek().as_deref().is_some_and(at)
    }

    fn peek(&self) -> MutexGuard<'_, Option<Box<Asks>>> {
        self.asks.lock()
    }
}

impl Deref for Locked<'_> {
    type Target = Asks;

    fn deref(&self) -> &Asks {
        self.0.as_deref().expect("allocated by `lock`")
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut Asks {
        self.0.get_or_insert_default()
    }
}
