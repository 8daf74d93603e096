//! One question of a call: its key, its place in the conversation, and the time limit for its answer.

use std::{
    borrow::Cow,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use tokio::time::{Instant, Sleep, sleep, sleep_until};

use crate::{
    base::clock::Millis,
    engine::call::{
        Call, CallState,
        ask_error::AskError,
        conversation::{Answer, Fingerprint, WireQuestion},
        ledger_time::LedgerTime,
        multi_round::multi_round,
        observer::{Observer as _, observer},
        request::Caller,
    },
    wire::protocol::capability::{Capabilities, Capability},
};

/// A question of a call, with the time limit for its answer.
#[derive(Debug)]
pub(crate) struct Ask<'a> {
    pub(crate) asking: Asking<'a>,
    pub(crate) within: Duration,
    pub(crate) must_ask: bool,
    pub(crate) needs: Capability,
    method: &'static str,
    /// Identifies the question as the author asked it, without the reason that a retry adds.
    fingerprint: Fingerprint,
    asked: Option<AnswerLimit>,
}

/// The time limit of an answer.
#[derive(Debug)]
struct AnswerLimit {
    /// The time at which the limit ends. `None` if the limit is so long that the clock cannot represent this time.
    until: Option<Instant>,
    /// In a session, a timer runs while the future waits for the answer.
    timer: Option<Pin<Box<Sleep>>>,
    /// Outside of a session, the client answers with a new request. The instance that gets this request checks the
    /// deadline.
    deadline: Option<Millis>,
}

const ONE_AT_A_TIME: &str =
    "the application shows one question of a call at a time; await the answer to the open question first";

impl<'a> Ask<'a> {
    pub(crate) fn new(asking: Asking<'a>, method: &'static str, needs: Capability, within: Duration) -> Self {
        Self { asking, within, must_ask: false, needs, method, fingerprint: Fingerprint::default(), asked: None }
    }

    pub(crate) fn call(&self) -> &'a CallState {
        &self.asking.call.0
    }

    /// Polls for the answer. The first poll calls `params`, which writes the question, and then asks this question.
    pub(crate) fn poll(
        &mut self,
        cx: &mut Context<'_>,
        params: impl FnOnce(&CallState) -> Result<(Fingerprint, Arc<str>), AskError>,
    ) -> Poll<Answer> {
        let now = Instant::now();
        if self.asked.is_none() {
            if !self.call().client().supports(self.needs) {
                return Poll::Ready(Err(AskError::Capability(self.needs)));
            }
            let (fingerprint, params) = params(self.call())?;
            if self.call().is_in_application && self.call().conversation.is_asking() {
                return Poll::Ready(Err(AskError::Question(ONE_AT_A_TIME.to_owned())));
            }
            self.fingerprint = fingerprint;
            let deadline = self.asking.ask(self.question(params, self.must_ask, self.deadline()));
            let until = now.checked_add(self.within);
            let timer = || Box::pin(until.map_or_else(|| sleep(self.within), sleep_until));
            let timer = (!self.call().revision.is_modern()).then(timer);
            self.asked = Some(AnswerLimit { until, timer, deadline });
        }
        let within = self.within;
        let method = self.method;
        let timeout = || Poll::Ready(Err(AskError::Timeout(within)));
        let in_session = || {
            observer().answered(method, Err(&AskError::Timeout(within)));
            Err(AskError::Timeout(within))
        };
        let Some(AnswerLimit { until, timer, .. }) = &mut self.asked else { return Poll::Pending };
        // Compare with the clock: the timer is not polled while the call waits for something else.
        let late = until.is_some_and(|until| until <= now);
        match (self.asking.poll_answer(late, cx), timer) {
            (Poll::Ready(Err(AskError::Timeout(_))), _) => timeout(),
            (Poll::Ready(answer), _) => Poll::Ready(answer),
            (Poll::Pending, Some(_)) if late => Poll::Ready(in_session()),
            (Poll::Pending, Some(timer)) => timer.as_mut().poll(cx).map(|()| in_session()),
            (Poll::Pending, None) => Poll::Pending,
        }
    }

    /// Asks the same question once more, with a reason added to its text.
    pub(crate) fn again(&self, params: Arc<str>) {
        let deadline = self.asked.as_ref().and_then(|limit| limit.deadline);
        self.asking.ask(self.question(params, true, deadline));
    }

    fn question(&self, params: Arc<str>, must_ask: bool, deadline: Option<Millis>) -> WireQuestion {
        let question = self.asking.question(self.method, params, self.needs, self.fingerprint);
        WireQuestion { must_ask, deadline, ..question }
    }

    /// Returns the deadline for the answer, in the ledger's time. Returns `None` in a session, where a timer limits the
    /// time.
    fn deadline(&self) -> Option<Millis> {
        if !self.call().revision.is_modern() {
            return None;
        }
        let deadline = multi_round().time(self.call()).after(self.within);
        (deadline < LedgerTime(Millis::MAX)).then_some(deadline.0)
    }
}

/// One question of a call. If this value is dropped before the answer arrives, the question is withdrawn.
#[derive(Debug)]
pub(crate) struct Asking<'a> {
    pub(crate) call: &'a Call,
    name: Cow<'static, str>,
    /// The name of the question, with a number appended if an earlier question of the call has the same name.
    pub(crate) key: Cow<'static, str>,
}

impl<'a> Asking<'a> {
    /// Creates a question and reserves its key. The key is reserved here and not in the first poll, because `select!`
    /// polls in random order.
    pub(crate) fn new(call: &'a Call, name: Cow<'static, str>) -> Self {
        Self::named(call, call.key(name))
    }

    /// Creates a question whose name begins with the key of an earlier question of the same operation.
    pub(crate) fn after(call: &'a Call, name: String) -> Self {
        Self::named(call, name.into())
    }

    fn named(call: &'a Call, name: Cow<'static, str>) -> Self {
        let key = call.0.conversation.reserve(name.clone());
        // Multi-round support is not set yet if no tool declared that it asks. This is possible in a session, or if
        // tools are created at run time.
        call.0.server.multi_round().get_or_init(multi_round);
        Self { call, name, key }
    }

    /// Changes the name of the question, and reserves a new key. Call this before the question is asked.
    pub(crate) fn rename(&mut self, name: Cow<'static, str>) {
        self.rename_after(self.call.key(name));
    }

    /// Like [`rename`](Self::rename), with a name that begins with the key of a question, a branch or a nested call.
    pub(crate) fn rename_after(&mut self, name: Cow<'static, str>) {
        let conversation = &self.call.0.conversation;
        conversation.give_back(&self.name, &self.key);
        self.key = conversation.reserve(name.clone());
        self.name = name;
    }

    /// Returns the question with this content. `params` are the parameters of the request to the client, as JSON text.
    pub(crate) fn question(
        &self,
        method: &'static str,
        params: Arc<str>,
        needs: Capability,
        fingerprint: Fingerprint,
    ) -> WireQuestion {
        let (key, name, needs) = (self.key.clone(), self.name.clone(), Capabilities::of(&[needs]));
        WireQuestion { key, name, fingerprint, method, params, needs, must_ask: false, deadline: None }
    }

    /// Asks the question and returns the deadline for its answer. A replayed question keeps its first deadline.
    pub(crate) fn ask(&self, question: WireQuestion) -> Option<Millis> {
        self.call.0.conversation.open(question)
    }

    /// Asks a question that comes from another call.
    pub(crate) fn forward(&self, question: &WireQuestion) {
        let (key, name) = (self.key.clone(), self.name.clone());
        self.call.0.conversation.open(WireQuestion { key, name, must_ask: true, deadline: None, ..question.clone() });
    }

    /// Opens a question that the server answers itself. Returns `false` if a recorded answer is available.
    pub(crate) fn seek(&self, question: WireQuestion) -> bool {
        self.call.0.conversation.seek(question)
    }

    /// Stores the answer that the server itself gives to this question, or why it has none.
    pub(crate) fn found(&self, answer: Result<Arc<str>, AskError>) {
        let text = answer.as_deref().ok();
        self.call.0.tell_application(|application| application.sampled(&self.key, text));
        self.call.0.conversation.found(&self.key, answer);
    }

    /// Polls for the answer. If the deadline has passed (`late`), an answer counts as a timeout.
    pub(crate) fn poll_answer(&self, late: bool, cx: &mut Context<'_>) -> Poll<Answer> {
        self.call.0.conversation.poll_answer(&self.key, late, self.call.0.keeps_journal(), cx).map(|taken| {
            if let Some(method) = taken.now_answered {
                observer().answered(method, taken.answer.as_ref().map(|answer| &**answer));
            }
            taken.answer
        })
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        let Some(number) = self.call.0.conversation.close(&self.key) else { return };
        let request = self.call.0.request();
        if let Some(Caller::Legacy { session, .. }) = request.as_ref().map(|request| &request.caller)
            && let Some(asker) = session.questions.begun()
        {
            asker.withdraw(number);
        }
    }
}
