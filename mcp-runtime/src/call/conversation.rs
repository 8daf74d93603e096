//! What a call has asked the other side, and what came back.
//!
//! The conversation knows no transport. Asking suspends the author's future; whoever drives it takes the questions out,
//! however its kind of client is asked, and puts the answers in.

use std::{
    borrow::Cow,
    collections::HashMap,
    pin::Pin,
    sync::{Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use serde_json::Value;

use super::{CallState, ask::AskError};
use crate::{tool::Capability, wire::capability::Capabilities};

/// The asks of one call.
#[derive(Default)]
pub(crate) struct Conversation(Mutex<Asks>);

#[derive(Default)]
struct Asks {
    open: Vec<Open>,
    /// How often each name was used: the second ask of one name has a key of its own.
    named: HashMap<&'static str, usize>,
    /// Wakes whoever hands the questions out.
    driver: Option<Waker>,
}

struct Open {
    question: Question,
    handed_out: bool,
    answer: Option<Answer>,
    waker: Option<Waker>,
}

/// One question as it stands on the wire.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// Unique in its call.
    pub(crate) key: Cow<'static, str>,
    pub(crate) method: &'static str,
    pub(crate) params: Value,
    /// What the client must be able to do to be asked.
    pub(crate) needs: Capabilities,
}

/// The result object that answers a question, as JSON text, or why there is none.
pub(crate) type Answer = Result<Box<str>, AskError>;

/// An ask being waited for. Dropped before its answer, it is closed.
#[derive(Debug)]
pub(crate) struct Asking<'a> {
    call: &'a CallState,
    /// Put in at the first poll: what is never polled is never asked.
    question: Option<Question>,
    key: Cow<'static, str>,
}

impl<'a> Asking<'a> {
    /// The key is settled here and not when it is first polled: `select!` polls in random order.
    pub(crate) fn new(
        call: &'a CallState,
        name: &'static str,
        method: &'static str,
        params: Value,
        needs: Capability,
    ) -> Self {
        let key = call.conversation.key(name);
        let question = Question { key: key.clone(), method, params, needs: Capabilities::of(&[needs]) };
        Self { call, question: Some(question), key }
    }
}

impl Future for Asking<'_> {
    type Output = Answer;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Answer> {
        if let Some(question) = self.question.take() {
            self.call.conversation.open(question);
        }
        self.call.conversation.poll_answer(&self.key, cx)
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.call.conversation.close(&self.key);
    }
}

impl Conversation {
    /// Whether an ask waits for its answer. `driver` is woken when another one comes.
    pub(crate) fn is_waiting(&self, driver: &Waker) -> bool {
        let mut asks = self.lock();
        asks.driver = Some(driver.clone());
        asks.open.iter().any(|ask| ask.answer.is_none())
    }

    /// The questions nobody has been asked yet.
    pub(crate) fn take_new(&self) -> Vec<Question> {
        let mut asks = self.lock();
        let new = asks.open.iter_mut().filter(|ask| !ask.handed_out && ask.answer.is_none());
        new.map(|ask| {
            ask.handed_out = true;
            ask.question.clone()
        })
        .collect()
    }

    /// All questions that have no answer, in the order they were asked.
    pub(crate) fn unanswered(&self) -> Vec<Question> {
        let asks = self.lock();
        asks.open.iter().filter(|ask| ask.answer.is_none()).map(|ask| ask.question.clone()).collect()
    }

    /// Puts an answer in. Whether somebody waited for it; the first answer stays.
    pub(crate) fn answer(&self, key: &str, answer: Answer) -> bool {
        let mut asks = self.lock();
        let Some(ask) = asks.open.iter_mut().find(|ask| ask.question.key == key && ask.answer.is_none()) else {
            return false;
        };
        ask.answer = Some(answer);
        let waker = ask.waker.take();
        drop(asks);
        waker.into_iter().for_each(Waker::wake);
        true
    }

    fn key(&self, name: &'static str) -> Cow<'static, str> {
        let mut asks = self.lock();
        let uses = asks.named.entry(name).or_insert(0);
        *uses += 1;
        if *uses == 1 { name.into() } else { format!("{name}#{uses}").into() }
    }

    fn open(&self, question: Question) {
        let mut asks = self.lock();
        asks.open.push(Open { question, handed_out: false, answer: None, waker: None });
        let driver = asks.driver.take();
        drop(asks);
        driver.into_iter().for_each(Waker::wake);
    }

    fn poll_answer(&self, key: &str, cx: &mut Context<'_>) -> Poll<Answer> {
        let mut asks = self.lock();
        let Some(index) = asks.open.iter().position(|ask| ask.question.key == key) else {
            return Poll::Ready(Err(AskError::Disconnected));
        };
        if let Some(answer) = asks.open[index].answer.take() {
            asks.open.remove(index);
            return Poll::Ready(answer);
        }
        asks.open[index].waker = Some(cx.waker().clone());
        Poll::Pending
    }

    fn close(&self, key: &str) {
        self.lock().open.retain(|ask| ask.question.key != key);
    }

    fn lock(&self) -> MutexGuard<'_, Asks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
