//! One question to a person, asked until it has an answer that fits: whatever the form.

use std::{
    borrow::Cow,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use tokio::time::{Instant, Sleep, sleep};

use super::{reply::Elicited, unfit::Unfit};
use crate::{
    call::{
        AskError, CallState,
        asking::{Asking, Wording},
        clock::{self, Millis},
        conversation::Answer,
        journal::Fingerprint,
    },
    tool::Capability,
};

/// How long a person may take unless the author says otherwise.
const WITHIN: Duration = Duration::from_secs(60 * 60);

/// A question on its way.
#[derive(Debug)]
pub(super) struct Ask<'a> {
    pub(super) asking: Asking<'a>,
    pub(super) message: String,
    /// How often it may be asked again.
    pub(super) retries: u32,
    pub(super) within: Duration,
    pub(super) must_ask: bool,
    needs: Capability,
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
    pub(super) fn new(call: &'a CallState, name: Cow<'static, str>, message: String, needs: Capability) -> Self {
        let asking = Asking::new(call, name);
        Self {
            asking,
            message,
            retries: 1,
            within: WITHIN,
            must_ask: false,
            needs,
            fingerprint: Fingerprint::default(),
            asked: None,
        }
    }

    pub(super) fn call(&self) -> &'a CallState {
        self.asking.call()
    }

    /// The answer as it came. The first poll asks; `params` writes the question with the message it is given.
    pub(super) fn poll(
        &mut self,
        cx: &mut Context<'_>,
        params: impl FnOnce(&CallState, &str) -> Result<(Fingerprint, Arc<str>), AskError>,
    ) -> Poll<Answer> {
        if self.asked.is_none() {
            if !self.call().client().supports(self.needs) {
                return Poll::Ready(Err(AskError::Capability(self.needs)));
            }
            let (fingerprint, params) = params(self.call(), &self.message)?;
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
        let timeout = || Poll::Ready(Err(AskError::Timeout(within)));
        let in_session = || {
            #[cfg(feature = "metrics")]
            crate::watch::asked("elicitation/create", Err(&AskError::Timeout(within)));
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

    /// Asks the same once more, with the reason, if it may.
    pub(super) fn again(
        &mut self,
        reason: Option<&Unfit>,
        params: impl FnOnce(&CallState, &str) -> Result<(Fingerprint, Arc<str>), AskError>,
    ) -> Result<bool, AskError> {
        if self.retries == 0 {
            return Ok(false);
        }
        self.retries -= 1;
        let message = match reason {
            Some(Unfit { shown, .. }) => format!("{}\n\nThe last answer did not fit:\n{shown}", self.message),
            None => self.message.clone(),
        };
        let (_, params) = params(self.call(), &message)?;
        let deadline = match self.asked {
            Some(Limit { kind: Kind::Request(deadline), .. }) => deadline,
            _ => None,
        };
        self.asking.ask(self.wording(params, true, deadline));
        Ok(true)
    }

    fn wording(&self, params: Arc<str>, must_ask: bool, deadline: Option<Millis>) -> Wording {
        let Self { needs, fingerprint, .. } = *self;
        Wording { method: "elicitation/create", params, needs, fingerprint, must_ask, deadline }
    }

    /// Until when the first answer must come that stands in a request of its own.
    fn deadline(&self) -> Option<Millis> {
        if !self.call().revision.is_modern() {
            return None;
        }
        clock::since_1970().checked_add(self.within).map(clock::millis)
    }
}

impl<F> Elicited<F> {
    /// The answer, or the error that it is for an author who takes nothing else.
    pub(super) fn strict(self) -> Result<F, AskError> {
        match self {
            Self::Accept(form) => Ok(form),
            Self::Decline => Err(AskError::Declined),
            Self::Cancel => Err(AskError::Cancelled),
        }
    }
}
