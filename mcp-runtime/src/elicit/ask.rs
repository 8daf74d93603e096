//! One question to a person, asked until it has an answer that fits: whatever the form.

use std::{
    borrow::Cow,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use tokio::time::{Instant, Sleep};

use super::{reply::Elicited, unfit::Unfit};
use crate::{
    call::{AskError, CallState, conversation::Asking, journal::Fingerprint},
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
struct Limit(Pin<Box<Sleep>>);

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
    ) -> Poll<Result<Box<str>, AskError>> {
        if self.asked.is_none() {
            if !self.call().client().supports(self.needs) {
                return Poll::Ready(Err(AskError::Capability(self.needs)));
            }
            let (fingerprint, params) = params(self.call(), &self.message)?;
            self.fingerprint = fingerprint;
            self.asking.ask("elicitation/create", params, self.needs, fingerprint, self.must_ask);
            self.asked = Some(Limit(Box::pin(tokio::time::sleep(self.within))));
        }
        let limit = self.asked.as_mut().map(|Limit(sleep)| sleep);
        // Judged by the clock and not by the timer: between two rounds nobody polls it.
        if limit.as_ref().is_some_and(|sleep| sleep.deadline() <= Instant::now()) {
            return Poll::Ready(Err(AskError::Timeout(self.within)));
        }
        if let Poll::Ready(answer) = self.asking.poll_answer(cx) {
            return Poll::Ready(answer);
        }
        match limit.map(|sleep| sleep.as_mut().poll(cx)) {
            Some(Poll::Ready(())) => Poll::Ready(Err(AskError::Timeout(self.within))),
            _ => Poll::Pending,
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
        self.asking.ask("elicitation/create", params, self.needs, self.fingerprint, true);
        Ok(true)
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
