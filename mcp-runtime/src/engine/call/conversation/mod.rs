//! The questions of a call, and their answers.
//!
//! The conversation does not know the transport. A question suspends the author's future. The driver takes the
//! questions out, sends them as the client's revision requires, and stores the answers.

mod journalled;
mod server_answered;
mod steps;

use std::{
    borrow::Cow,
    ops::{Deref, DerefMut},
    sync::{
        Arc, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};

use super::{
    ask_error::AskError,
    journal::{Answered, Answerer, Fingerprint, Journal},
    names::Names,
    observer::{Observer as _, observer},
    replay_cursor::ReplayCursor,
    step_gate::StepGate,
};
use crate::base::clock::Millis;
use crate::{
    base::mutex::Mutex,
    wire::protocol::{capability::Capabilities, id::RequestId},
};

/// The questions of one call. The first question allocates the memory for them, because most calls ask no question.
#[derive(Default)]
pub(crate) struct Conversation {
    asks: Mutex<Option<Box<Asks>>>,
    /// Whether the call has ended. Later questions stay unanswered.
    over: AtomicBool,
}

/// The locked questions of a call. The first lock allocates the memory for them.
struct Locked<'a>(MutexGuard<'a, Option<Box<Asks>>>);

#[derive(Default)]
struct Asks {
    open: Vec<Open>,
    names: Names,
    /// Wakes the driver, which sends the questions.
    driver: Option<Waker>,
    /// The recorded answers of a rebuilt call.
    journal: Journal,
    /// The answers, in the order in which the call took them. They are kept only if the call can be rebuilt.
    taken: Vec<Arc<Answered>>,
    /// Whether the call is still replaying its journal, after the server has rebuilt the call.
    replaying: bool,
    /// The current round.
    round: u32,
    /// The position of the call in its replay. It identifies each reading of the clock and each random number.
    reached: ReplayCursor,
    steps: StepGate,
}

/// A question that has no answer yet, or whose answer the author's code has not taken yet.
pub(crate) struct Open {
    question: WireQuestion,
    handed_out: HandedOut,
    answer: Option<Arrived>,
    waker: Option<Waker>,
}

/// An answer, and the round in which it came.
struct Arrived {
    answer: Answer,
    round: u32,
}

/// Whether a question was sent to the client.
#[derive(Clone, PartialEq, Eq)]
enum HandedOut {
    No,
    /// The driver has taken the question to send it.
    Taken,
    /// The question was sent in a session, as the request with this id.
    As(RequestId),
    /// The question is not sent, because the server answers it itself.
    ToServer,
}

/// A question in the form in which the client gets it.
#[derive(Clone, Debug)]
pub(crate) struct WireQuestion {
    /// The name of the question, with a number if the name is repeated. Each key is unique in its call.
    pub(crate) key: Cow<'static, str>,
    /// The key without its number.
    pub(crate) name: Cow<'static, str>,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) method: &'static str,
    /// The parameters of the request to the client, as JSON text.
    pub(crate) params: Arc<str>,
    /// The capabilities that a client must have to get this question.
    pub(crate) needs: Capabilities,
    /// Whether to ignore an answer that came before the question was asked.
    pub(crate) must_ask: bool,
    /// The time after which an answer counts as a timeout. Set only if the client answers with a new request.
    pub(crate) deadline: Option<Millis>,
}

/// The answer to a question, or the reason why there is no answer.
pub(crate) type Answer = Result<AnswerText, AskError>;

/// The result object that answers a question.
#[derive(Clone, Debug)]
pub(crate) struct AnswerText {
    /// JSON text.
    pub(crate) text: Arc<str>,
    pub(crate) by: Answerer,
}

impl AnswerText {
    /// Creates an answer of the client.
    pub(crate) fn of_client(text: impl Into<Arc<str>>) -> Self {
        Self { text: text.into(), by: Answerer::Client }
    }
}

impl Deref for AnswerText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl Asks {
    /// Returns whether a question to the client is unanswered.
    fn is_asking(&self) -> bool {
        self.open.iter().any(|ask| ask.answer.is_none() && !ask.is_to_server())
    }

    /// Returns whether the call waits only for the client's answers.
    fn is_waiting(&self) -> bool {
        !self.is_busy() && self.is_asking()
    }

    /// If no question is open any more, returns the wakers of the steps that waited for this.
    fn take_unblocked_steps(&mut self) -> Vec<Waker> {
        if self.is_asking() { Vec::new() } else { self.steps.take_waiting() }
    }

    fn open(&mut self, mut question: WireQuestion, handed_out: HandedOut) -> Option<Millis> {
        let within_step = self.steps.is_polled_by(thread::current().id());
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
}

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

    /// Takes the questions that were not sent yet.
    pub(crate) fn take_new(&self) -> Vec<WireQuestion> {
        let mut asks = self.lock();
        let new = asks.open.iter_mut().filter(|ask| ask.handed_out == HandedOut::No && ask.answer.is_none());
        new.map(|ask| {
            ask.handed_out = HandedOut::Taken;
            ask.question.clone()
        })
        .collect()
    }

    /// Records that the question was sent in the request with this id.
    pub(crate) fn handed_out(&self, key: &str, id: RequestId) {
        if let Some(ask) = self.lock().open.iter_mut().find(|ask| ask.question.key == key) {
            ask.handed_out = HandedOut::As(id);
        }
    }

    /// Stores an answer of the client, and returns whether a question to the client was waiting for it. Only the first
    /// answer counts.
    pub(crate) fn answer(&self, key: &str, answer: Answer) -> bool {
        self.store(key, answer, |ask| !ask.is_to_server())
    }

    fn store(&self, key: &str, answer: Answer, may_answer: fn(&Open) -> bool) -> bool {
        let mut asks = self.lock();
        let round = asks.round;
        let waits = |ask: &&mut Open| ask.question.key == key && ask.answer.is_none() && may_answer(ask);
        let Some(ask) = asks.open.iter_mut().find(waits) else { return false };
        ask.answer = Some(Arrived { answer, round });
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
    pub(super) fn poll_answer(&self, key: &str, late: bool, keep: bool, cx: &mut Context<'_>) -> Poll<Answer> {
        let mut asks = self.lock();
        let Some(index) = asks.open.iter().position(|ask| ask.question.key == key) else {
            return Poll::Ready(Err(AskError::Disconnected));
        };
        if let Some(Arrived { answer, round }) = asks.open[index].answer.take() {
            let Open { question, .. } = asks.open.remove(index);
            let answer = if late { Err(AskError::Timeout(Duration::ZERO)) } else { answer };
            asks.reached.answer(&question.key, round);
            if round == asks.round {
                observer().answered(question.method, answer.as_ref().map(|answer| &**answer));
            }
            if keep {
                asks.taken.extend(Answered::of(question, &answer, round).map(Arc::new));
            }
            return Poll::Ready(answer);
        }
        asks.open[index].waker = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Removes a question. Returns the id of the request that asks it, if that request is unanswered.
    pub(super) fn close(&self, key: &str) -> Option<RequestId> {
        let mut asks = self.lock();
        let index = asks.open.iter().position(|ask| ask.question.key == key)?;
        let closed = asks.open.remove(index);
        let steps = asks.take_unblocked_steps();
        let driver = closed.is_to_server().then(|| asks.driver.take()).flatten();
        drop(asks);
        steps.into_iter().chain(driver).for_each(Waker::wake);
        closed.request().cloned()
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

impl Open {
    /// Returns the id of the unanswered request that asks this question.
    pub(crate) fn request(&self) -> Option<&RequestId> {
        match &self.handed_out {
            HandedOut::As(id) if self.answer.is_none() => Some(id),
            _ => None,
        }
    }

    /// Wakes the future that waits for this question's answer, so that it notices the end of the call.
    pub(crate) fn wake(self) {
        self.waker.into_iter().for_each(Waker::wake);
    }
}
