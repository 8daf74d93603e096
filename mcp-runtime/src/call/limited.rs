//! A question with a time limit for its answer.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use tokio::time::{Instant, Sleep, sleep};

use super::{
    AskError, CallState,
    asking::{Asking, Wording},
    clock::Millis,
    conversation::Answer,
    journal::Fingerprint,
    multi_round::multi_round,
    observer::{Observer as _, observer},
};
use crate::{call::ledger_time::LedgerTime, protocol::capability::Capability};

/// A question that is being asked.
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
    kind: AnswerTimer,
}

#[derive(Debug)]
enum AnswerTimer {
    /// In a session, a timer runs while the future waits for the answer.
    Session(Pin<Box<Sleep>>),
    /// Outside of a session, the client answers with a new request. The instance that gets this request checks the
    /// deadline.
    Request(Option<Millis>),
}

const ONE_AT_A_TIME: &str =
    "the application shows one question of a call at a time, and another one is open; await its answer first";

impl<'a> Ask<'a> {
    pub(crate) fn new(asking: Asking<'a>, method: &'static str, needs: Capability, within: Duration) -> Self {
        Self { asking, within, must_ask: false, needs, method, fingerprint: Fingerprint::default(), asked: None }
    }

    pub(crate) fn call(&self) -> &'a CallState {
        self.asking.call()
    }

    /// Polls for the answer. The first poll writes the question with `params`, and sends the question.
    pub(crate) fn poll(
        &mut self,
        cx: &mut Context<'_>,
        params: impl FnOnce(&CallState) -> Result<(Fingerprint, Arc<str>), AskError>,
    ) -> Poll<Answer> {
        if self.asked.is_none() {
            if !self.call().client().supports(self.needs) {
                return Poll::Ready(Err(AskError::Capability(self.needs)));
            }
            let (fingerprint, params) = params(self.call())?;
            if self.call().is_in_application() && self.call().conversation.is_asking() {
                return Poll::Ready(Err(AskError::Question(ONE_AT_A_TIME.to_owned())));
            }
            self.fingerprint = fingerprint;
            let deadline = self.asking.ask(self.wording(params, self.must_ask, self.deadline()));
            let until = Instant::now().checked_add(self.within);
            let kind = match self.call().revision.is_modern() {
                true => AnswerTimer::Request(deadline),
                false => AnswerTimer::Session(Box::pin(sleep(self.within))),
            };
            self.asked = Some(AnswerLimit { until, kind });
        }
        let within = self.within;
        let method = self.method;
        let timeout = || Poll::Ready(Err(AskError::Timeout(within)));
        let in_session = || {
            observer().answered(method, Err(&AskError::Timeout(within)));
            Err(AskError::Timeout(within))
        };
        let Some(AnswerLimit { until, kind }) = &mut self.asked else { return Poll::Pending };
        // Compare with the clock: the timer is not polled while the call waits for something else.
        let late = until.is_some_and(|until| until <= Instant::now());
        match (self.asking.poll_answer(late, cx), kind) {
            (Poll::Ready(Err(AskError::Timeout(_))), _) => timeout(),
            (Poll::Ready(answer), _) => Poll::Ready(answer),
            (Poll::Pending, AnswerTimer::Session(_)) if late => Poll::Ready(in_session()),
            (Poll::Pending, AnswerTimer::Session(sleep)) => sleep.as_mut().poll(cx).map(|()| in_session()),
            (Poll::Pending, AnswerTimer::Request(_)) => Poll::Pending,
        }
    }

    /// Asks the same question once more, with a reason added to its text.
    pub(crate) fn again(&self, params: Arc<str>) {
        let deadline = match self.asked {
            Some(AnswerLimit { kind: AnswerTimer::Request(deadline), .. }) => deadline,
            _ => None,
        };
        self.asking.ask(self.wording(params, true, deadline));
    }

    fn wording(&self, params: Arc<str>, must_ask: bool, deadline: Option<Millis>) -> Wording {
        let Self { needs, method, fingerprint, .. } = *self;
        Wording { method, params, needs, fingerprint, must_ask, deadline }
    }

    /// Returns the deadline for the answer, in the ledger's time. Returns `None` in a session, where a timer limits the
    /// time.
    fn deadline(&self) -> Option<Millis> {
        if !self.call().revision.is_modern() {
            return None;
        }
        let deadline = multi_round().time(&*self.call().server).after(self.within);
        (deadline < LedgerTime(Millis::MAX)).then_some(deadline.0)
    }
}
