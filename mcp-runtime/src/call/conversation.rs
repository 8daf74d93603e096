//! What a call has asked the other side, and what came back.
//!
//! The conversation knows no transport. Asking suspends the author's future; whoever drives it takes the questions out,
//! however its kind of client is asked, and puts the answers in.

use std::{
    borrow::Cow,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use serde_json::value::RawValue;

use super::{
    CallState,
    ask::AskError,
    journal::{Answered, Asked, Fingerprint, Journal},
    request::Caller,
};
use crate::{
    tool::Capability,
    wire::{capability::Capabilities, id::RequestId},
};

/// The asks of one call.
#[derive(Default)]
pub(crate) struct Conversation(Mutex<Asks>);

#[derive(Default)]
struct Asks {
    open: Vec<Open>,
    /// Whether the call has ended: nobody answers what is asked from then on.
    over: bool,
    /// The number of the last ask of each name; a key that was made by numbering is a name as well.
    named: Vec<(Cow<'static, str>, usize)>,
    /// Wakes whoever hands the questions out.
    driver: Option<Waker>,
    /// What there is to feed back, where the call was rebuilt.
    journal: Journal,
    /// The answers that were taken, in that order, where the call may have to be rebuilt.
    taken: Vec<Answered>,
    /// Whether all that is said now was said before.
    replaying: bool,
}

/// A question whose ask still waits.
pub(crate) struct Open {
    question: Question,
    handed_out: HandedOut,
    answer: Option<Answer>,
    waker: Option<Waker>,
}

/// Whether the client has a question in front of it.
#[derive(Clone, PartialEq, Eq)]
enum HandedOut {
    No,
    /// Taken out, and on its way.
    Taken,
    /// By a request of this id.
    As(RequestId),
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
}

/// The result object that answers a question, as JSON text, or why there is none.
pub(crate) type Answer = Result<Box<str>, AskError>;

/// The place of one question in the conversation. Dropped before its answer, the question is withdrawn.
#[derive(Debug)]
pub(crate) struct Asking<'a> {
    call: &'a CallState,
    name: Cow<'static, str>,
    /// The name, and for a repeated one its number.
    key: Cow<'static, str>,
}

impl<'a> Asking<'a> {
    /// The key is settled here and not when it is first polled: `select!` polls in random order.
    pub(crate) fn new(call: &'a CallState, name: Cow<'static, str>) -> Self {
        let key = call.conversation.reserve(name.clone());
        Self { call, name, key }
    }

    pub(crate) fn call(&self) -> &'a CallState {
        self.call
    }

    /// Goes by another name. Only before it is asked.
    pub(crate) fn rename(&mut self, name: Cow<'static, str>) {
        self.call.conversation.give_back(&self.name, &self.key);
        self.key = self.call.conversation.reserve(name.clone());
        self.name = name;
    }

    /// Asks, or asks again.
    pub(crate) fn ask(
        &self,
        method: &'static str,
        params: Arc<str>,
        needs: Capability,
        fingerprint: Fingerprint,
        must_ask: bool,
    ) {
        let needs = Capabilities::of(&[needs]);
        let (key, name) = (self.key.clone(), self.name.clone());
        self.call.conversation.open(Question { key, name, fingerprint, method, params, needs, must_ask });
    }

    pub(crate) fn poll_answer(&self, cx: &mut Context<'_>) -> Poll<Answer> {
        // Only a call of several requests may have to be rebuilt.
        self.call.conversation.poll_answer(&self.key, self.call.revision.is_modern(), cx)
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        let Some(id) = self.call.conversation.close(&self.key) else { return };
        let request = self.call.request();
        if let Some(Caller::Legacy { asker, .. }) = request.as_ref().map(|request| &request.caller) {
            asker.withdraw(&id);
        }
    }
}

impl Asks {
    /// The recorded answer to a question, if there is one.
    fn feed(&mut self, question: &Question) -> Option<Answer> {
        if let Some(answered) = self.journal.take(&question.name, question.fingerprint) {
            self.replaying &= !answered.fresh;
            return Some(answered.answer());
        }
        self.replaying = false;
        self.journal.miss(&question.key, question.fingerprint).err().map(Err)
    }

    fn uses(&mut self, name: &str) -> Option<&mut usize> {
        self.named.iter_mut().find_map(|(known, uses)| (known == name).then_some(uses))
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
        let Some(ask) = asks.open.iter_mut().find(|ask| ask.question.key == key && ask.answer.is_none()) else {
            return false;
        };
        ask.answer = Some(answer);
        let waker = ask.waker.take();
        drop(asks);
        waker.into_iter().for_each(Waker::wake);
        true
    }

    /// Puts an answer in that came before its question was asked, if the question takes one. A handoff's does not: it
    /// asks about what `before` found, which nobody had seen.
    pub(crate) fn answer_early(&self, key: &str, answer: Answer) -> bool {
        let takes = |ask: &Open| ask.question.key == key && !ask.question.must_ask;
        let asks = self.lock();
        let takes = asks.journal.handoff.is_none() && asks.open.iter().any(takes);
        drop(asks);
        takes && self.answer(key, answer)
    }

    /// What there is to feed back. Before anything is asked.
    pub(crate) fn rebuild(&self, journal: Journal) {
        let mut asks = self.lock();
        asks.replaying = true;
        asks.journal = journal;
    }

    /// Whether all that the call says now was said before it was rebuilt.
    pub(crate) fn is_replaying(&self) -> bool {
        self.lock().replaying
    }

    /// What another must be told to rebuild the call as it is.
    pub(crate) fn journal(&self) -> Journal {
        let asks = self.lock();
        let mut open: Vec<_> = asks.open.iter().filter(|ask| ask.answer.is_none()).map(|ask| &ask.question).collect();
        // In the order the asks were made: what is asked again comes where it was, whoever was polled first.
        open.sort_by_cached_key(|question| asks.named.iter().position(|(key, _)| *key == question.key));
        // An answer that waits to be taken is one as well.
        let waiting = asks.open.iter().filter_map(|ask| Answered::of(ask.question.clone(), ask.answer.as_ref()?));
        Journal {
            handoff: asks.journal.handoff.clone(),
            answers: asks.taken.iter().cloned().chain(asks.journal.answers.iter().cloned()).chain(waiting).collect(),
            open: open.into_iter().filter_map(Asked::of).collect(),
            drifted: asks.journal.drifted.clone(),
        }
    }

    /// What `before` gave, if it was kept.
    pub(crate) fn handoff(&self) -> Option<Box<RawValue>> {
        self.lock().journal.handoff.clone()
    }

    pub(crate) fn keep_handoff(&self, handoff: Box<RawValue>) {
        self.lock().journal.handoff = Some(handoff);
    }

    fn reserve(&self, name: Cow<'static, str>) -> Cow<'static, str> {
        let mut asks = self.lock();
        let Some(uses) = asks.uses(&name) else {
            asks.named.push((name.clone(), 1));
            return name;
        };
        *uses += 1;
        let mut number = *uses;
        let mut key = format!("{name}#{number}");
        while asks.uses(&key).is_some() {
            number += 1;
            key = format!("{name}#{number}");
        }
        if let Some(uses) = asks.uses(&name) {
            *uses = number;
        }
        asks.named.push((key.clone().into(), 1));
        key.into()
    }

    /// Takes a reservation back, where no later one stands behind it.
    fn give_back(&self, name: &str, key: &str) {
        let mut asks = self.lock();
        let Some(uses) = asks.uses(name) else { return };
        let last = if *uses == 1 { name == key } else { key == format!("{name}#{uses}") };
        if last {
            *uses -= 1;
            asks.named.retain(|(other, _)| other != key);
        }
    }

    /// The call has ended. Gives what tasks of the author's own still ask: nobody answers it.
    pub(crate) fn end(&self) -> Vec<Open> {
        let mut asks = self.lock();
        asks.over = true;
        std::mem::take(&mut asks.open)
    }

    fn open(&self, question: Question) {
        let mut asks = self.lock();
        if asks.over {
            return;
        }
        let answer = asks.feed(&question);
        asks.open.push(Open { question, handed_out: HandedOut::No, answer, waker: None });
        let driver = asks.driver.take();
        drop(asks);
        driver.into_iter().for_each(Waker::wake);
    }

    fn poll_answer(&self, key: &str, keep: bool, cx: &mut Context<'_>) -> Poll<Answer> {
        let mut asks = self.lock();
        let Some(index) = asks.open.iter().position(|ask| ask.question.key == key) else {
            return Poll::Ready(Err(AskError::Disconnected));
        };
        if let Some(answer) = asks.open[index].answer.take() {
            let Open { question, .. } = asks.open.remove(index);
            if keep {
                asks.taken.extend(Answered::of(question, &answer));
            }
            return Poll::Ready(answer);
        }
        asks.open[index].waker = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Removes a question; gives the request that asks it and has no answer yet.
    fn close(&self, key: &str) -> Option<RequestId> {
        let mut asks = self.lock();
        let index = asks.open.iter().position(|ask| ask.question.key == key)?;
        asks.open.remove(index).request().cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Asks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
