//! One question to the other side, and how long its answer may take.

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
    observer::{Observer as _, observer},
};
use crate::{call::ledger_time::LedgerTime, protocol::capability::Capability};

/// A question on its way.
#[derive(Debug)]
pub(crate) struct Ask<'a> {
    pub(crate) asking: Asking<'a>,
    pub(crate) within: Duration,
    pub(crate) must_ask: bool,
    pub(crate) needs: Capability,
    method: &'static str,
    /// What the author asks, whatever is added to it.
    fingerprint: Fingerprint,
    asked: Option<Limit>,
}

/// The end of a person's time.
#[derive(Debug)]
struct Limit {
    /// Never, where the clock does not reach so far.
    until: Option<Instant>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// In a session somebody waits.
    Session(Pin<Box<Sleep>>),
    /// An answer that comes with a request of its own is judged when it comes, by whoever has the call then.
    Request(Option<Millis>),
}

impl<'a> Ask<'a> {
    pub(crate) fn new(asking: Asking<'a>, method: &'static str, needs: Capability, within: Duration) -> Self {
        Self { asking, within, must_ask: false, needs, method, fingerprint: Fingerprint::default(), asked: None }
    }

    pub(crate) fn call(&self) -> &'a CallState {
        self.asking.call()
    }

    /// The answer as it came. The first poll asks; `params` writes the question.
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
            self.fingerprint = fingerprint;
            let deadline = self.asking.ask(self.wording(params, self.must_ask, self.deadline()));
            let until = Instant::now().checked_add(self.within);
            let kind = match self.call().revision.is_modern() {
                true => Kind::Request(deadline),
                false => Kind::Session(Box::pin(sleep(self.within))),
            };
            self.asked = Some(Limit { until, kind });
        }
        let within = self.within;
        let method = self.method;
        let timeout = || Poll::Ready(Err(AskError::Timeout(within)));
        let in_session = || {
            observer().answered(method, Err(&AskError::Timeout(within)));
            Err(AskError::Timeout(within))
        };
        let Some(Limit { until, kind }) = &mut self.asked else { return Poll::Pending };
        // By the clock and not by the timer, which nobody polls while the call waits for something else.
        let late = until.is_some_and(|until| until <= Instant::now());
        match (self.asking.poll_answer(late, cx), kind) {
            (Poll::Ready(Err(AskError::Timeout(_))), _) => timeout(),
            (Poll::Ready(answer), _) => Poll::Ready(answer),
            (Poll::Pending, Kind::Session(_)) if late => Poll::Ready(in_session()),
            (Poll::Pending, Kind::Session(sleep)) => sleep.as_mut().poll(cx).map(|()| in_session()),
            (Poll::Pending, Kind::Request(_)) => Poll::Pending,
        }
    }

    /// Asks once more in these words: the same question, whatever is added to it.
    pub(crate) fn again(&self, params: Arc<str>) {
        let deadline = match self.asked {
            Some(Limit { kind: Kind::Request(deadline), .. }) => deadline,
            _ => None,
        };
        self.asking.ask(self.wording(params, true, deadline));
    }

    fn wording(&self, params: Arc<str>, must_ask: bool, deadline: Option<Millis>) -> Wording {
        let Self { needs, method, fingerprint, .. } = *self;
        Wording { method, params, needs, fingerprint, must_ask, deadline }
    }

    /// Until when, by the ledger's time, the first answer must come that stands in a request of its own.
    fn deadline(&self) -> Option<Millis> {
        if !self.call().revision.is_modern() {
            return None;
        }
        let deadline = self.call().server.time().after(self.within);
        (deadline < LedgerTime(Millis::MAX)).then_some(deadline.0)
    }
}
