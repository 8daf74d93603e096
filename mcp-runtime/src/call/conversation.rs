//! What a call has asked the other side, and what came back.
//!
//! The conversation knows no transport. Asking suspends the author's future; whoever drives it takes the questions out,
//! however its kind of client is asked, and puts the answers in.

mod journalled;
mod server_answered;
mod steps;

use std::{
    borrow::Cow,
    ops::{Deref, DerefMut},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};

use serde_json::value::RawValue;

use super::{
    ask::AskError,
    clock::Millis,
    journal::{Answered, Fingerprint, Journal},
    names::Names,
    observer::{Observer as _, observer},
    replay_cursor::Reached,
    step_gate::Gate,
};
use crate::protocol::{capability::Capabilities, id::RequestId};

/// The asks of one call. Most calls have none, and pay for none.
#[derive(Default)]
pub(crate) struct Conversation {
    asks: Mutex<Option<Box<Asks>>>,
    /// Whether the call has ended: nobody answers what is asked from then on.
    over: AtomicBool,
}

/// The asks, which are there.
struct Locked<'a>(MutexGuard<'a, Option<Box<Asks>>>);

#[derive(Default)]
struct Asks {
    open: Vec<Open>,
    names: Names,
    /// Wakes whoever hands the questions out.
    driver: Option<Waker>,
    /// What there is to feed back, where the call was rebuilt.
    journal: Journal,
    /// The answers that were taken, in that order, where the call may have to be rebuilt.
    taken: Vec<Arc<Answered>>,
    /// Whether all that is said now was said before.
    replaying: bool,
    /// The round that runs.
    round: u32,
    /// Where the call is: what it took last.
    reached: Reached,
    steps: Gate,
}

/// A question whose ask still waits.
pub(crate) struct Open {
    question: Question,
    handed_out: HandedOut,
    answer: Option<Arrived>,
    waker: Option<Waker>,
}

/// An answer, and the round it came with.
struct Arrived {
    answer: Answer,
    round: u32,
}

/// Whether the client has a question in front of it.
#[derive(Clone, PartialEq, Eq)]
enum HandedOut {
    No,
    /// Taken out, and on its way.
    Taken,
    /// By a request of this id.
    As(RequestId),
    /// The server finds the answer itself.
    Within,
}

/// One question as it stands on the wire.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// Unique in its call.
    pub(crate) key: Cow<'static, str>,
    /// The key without its number.
    pub(crate) name: Cow<'static, str>,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) method: &'static str,
    /// JSON text.
    pub(crate) params: Arc<str>,
    /// What the client must be able to do to be asked.
    pub(crate) needs: Capabilities,
    /// An answer that came before the question is none.
    pub(crate) must_ask: bool,
    /// An answer that comes later is none. Only where it comes with a request of its own.
    pub(crate) deadline: Option<Millis>,
}

/// The result object that answers a question, or why there is none.
pub(crate) type Answer = Result<Arc<RawValue>, AskError>;

impl Asks {
    /// Whether the client has something in front of it, or should have.
    fn is_asking(&self) -> bool {
        self.open.iter().any(|ask| ask.answer.is_none() && !ask.is_sought())
    }

    /// What may go on when one question less is open.
    fn let_steps_on(&mut self) -> Vec<Waker> {
        if self.is_asking() { Vec::new() } else { self.steps.take_waiting() }
    }

    fn open(&mut self, mut question: Question, handed_out: HandedOut) -> Option<Millis> {
        let within_step = self.steps.is_polled_by(thread::current().id());
        let answer = if within_step {
            let told = "a step asks nobody; ask before it, and give it the answer".to_owned();
            Some(Arrived { answer: Err(AskError::Question(told)), round: self.round })
        } else {
            self.feed(&mut question)
        };
        let deadline = question.deadline;
        // Most calls have one question open at a time, and may be kept with it for long.
        self.open.reserve_exact(1);
        self.open.push(Open { question, handed_out, answer, waker: None });
        deadline
    }
}

impl Conversation {
    /// Whether an ask waits for its answer, and nothing else is to be done. `driver` is woken when that changes.
    pub(crate) fn is_waiting(&self, driver: &Waker) -> bool {
        let mut asks = self.lock();
        asks.driver = Some(driver.clone());
        !asks.is_busy() && asks.is_asking()
    }

    /// The questions nobody has been asked yet.
    pub(crate) fn take_new(&self) -> Vec<Question> {
        let mut asks = self.lock();
        let new = asks.open.iter_mut().filter(|ask| ask.handed_out == HandedOut::No && ask.answer.is_none());
        new.map(|ask| {
            ask.handed_out = HandedOut::Taken;
            ask.question.clone()
        })
        .collect()
    }

    /// Notes which request asks this.
    pub(crate) fn handed_out(&self, key: &str, id: RequestId) {
        if let Some(ask) = self.lock().open.iter_mut().find(|ask| ask.question.key == key) {
            ask.handed_out = HandedOut::As(id);
        }
    }

    /// Puts an answer in. Whether somebody waited for it; the first answer stays.
    pub(crate) fn answer(&self, key: &str, answer: Answer) -> bool {
        let mut asks = self.lock();
        let round = asks.round;
        let Some(ask) = asks.open.iter_mut().find(|ask| ask.question.key == key && ask.answer.is_none()) else {
            return false;
        };
        ask.answer = Some(Arrived { answer, round });
        let waker = ask.waker.take();
        let steps = asks.let_steps_on();
        drop(asks);
        waker.into_iter().chain(steps).for_each(Waker::wake);
        true
    }

    /// Puts an answer in that came before its question was asked, if the question takes one. A handoff's does not: it
    /// asks about what `before` found, which nobody had seen.
    pub(crate) fn answer_early(&self, key: &str, answer: Arc<RawValue>) -> bool {
        let takes = |ask: &Open| ask.question.key == key && !ask.question.must_ask;
        let asks = self.lock();
        let takes = asks.journal.handoff.is_none() && asks.open.iter().any(takes);
        drop(asks);
        takes && self.answer(key, Ok(answer))
    }

    /// The round that runs from now on.
    pub(crate) fn enter(&self, round: u32) {
        self.lock().round = round;
    }

    /// Whether all that the call says now was said before it was rebuilt.
    pub(crate) fn is_replaying(&self) -> bool {
        self.looks(|asks| asks.replaying)
    }

    /// In which round the last answer came that was taken.
    pub(crate) fn answered_in(&self) -> u32 {
        self.lock().reached.round
    }

    pub(crate) fn reserve(&self, name: Cow<'static, str>) -> Cow<'static, str> {
        self.lock().names.reserve(name)
    }

    pub(super) fn give_back(&self, name: &str, key: &str) {
        self.lock().names.give_back(name, key);
    }

    /// The call has ended. Gives what tasks of the author's own still ask: nobody answers it.
    pub(crate) fn end(&self) -> Vec<Open> {
        self.over.store(true, Ordering::Release);
        self.peek().as_deref_mut().map(|asks| std::mem::take(&mut asks.open)).unwrap_or_default()
    }

    /// Gives until when it is to be answered.
    pub(super) fn open(&self, question: Question) -> Option<Millis> {
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

    /// `late`: whatever has come, its time is over.
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
                observer().answered(question.method, answer.as_ref().map(|answer| answer.get()));
            }
            if keep {
                asks.taken.extend(Answered::of(question, &answer, round).map(Arc::new));
            }
            return Poll::Ready(answer);
        }
        asks.open[index].waker = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Removes a question; gives the request that asks it and has no answer yet.
    pub(super) fn close(&self, key: &str) -> Option<RequestId> {
        let mut asks = self.lock();
        let index = asks.open.iter().position(|ask| ask.question.key == key)?;
        let closed = asks.open.remove(index);
        let steps = asks.let_steps_on();
        let driver = closed.is_sought().then(|| asks.driver.take()).flatten();
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

    /// What is so, if the call has ever asked.
    fn looks(&self, at: impl FnOnce(&Asks) -> bool) -> bool {
        self.peek().as_deref().is_some_and(at)
    }

    fn peek(&self) -> MutexGuard<'_, Option<Box<Asks>>> {
        self.asks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Deref for Locked<'_> {
    type Target = Asks;

    fn deref(&self) -> &Asks {
        self.0.as_deref().expect("they were made when this was")
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut Asks {
        self.0.get_or_insert_default()
    }
}

impl Open {
    /// The request that asks this and has no answer yet.
    pub(crate) fn request(&self) -> Option<&RequestId> {
        match &self.handed_out {
            HandedOut::As(id) if self.answer.is_none() => Some(id),
            _ => None,
        }
    }

    /// Tells whoever waits for the answer that none will come.
    pub(crate) fn give_up(self) {
        self.waker.into_iter().for_each(Waker::wake);
    }
}
