//! One request, from its arrival to its answer.
//!
//! The request being looked at is known to its thread: what takes part in answering notes there what it has learnt, the
//! tool and the outcome. One that is not answered at once is taken along by its task, and known to whichever thread
//! polls that.

use std::{cell::RefCell, future::poll_fn, pin::pin};

#[cfg(feature = "tracing")]
use super::context::TraceContext;
use super::{
    meters::RequestMeter,
    outcome::Outcome,
    spans::{EnteredSpan, RequestSpan},
};
use crate::{
    call::request::Peer,
    protocol::{error::RpcError, id::Id, params::Meta, revision::Revision},
};

thread_local! {
    static CURRENT: RefCell<Option<Watched>> = const { RefCell::new(None) };
}

struct Watched {
    span: RequestSpan,
    meter: RequestMeter,
    /// What was learnt of it so far.
    outcome: Option<Outcome>,
}

/// A request on the thread that answers it. Dropped, it is answered, unless it was [deferred](defer).
#[must_use]
pub(crate) struct Entered {
    /// A tool may be a client of another server.
    before: Option<Watched>,
    _span: EnteredSpan,
}

/// A request that is answered later.
#[must_use]
pub(crate) struct Deferred(Option<Watched>);

/// Watches a request until what this gives is dropped.
pub(crate) fn request(
    peer: &Peer,
    id: &Id<'_>,
    method: &str,
    meta: &Meta<'_>,
    revision: impl FnOnce() -> Option<Revision>,
) -> Entered {
    let revision = revision();
    let span = RequestSpan::new(peer, id, method, meta, revision);
    let entered = span.enter();
    let watched = Watched { span, meter: RequestMeter::new(peer, method, revision), outcome: None };
    Entered { before: CURRENT.replace(Some(watched)), _span: entered }
}

/// Takes the request along that this thread is looking at.
pub(crate) fn defer() -> Deferred {
    Deferred(CURRENT.take())
}

/// The request calls this tool.
pub(crate) fn tool(name: &str) {
    on_current(|request| {
        request.span.tool(name);
        request.meter.tool(name);
    });
}

/// The request opens a session of this revision.
pub(crate) fn negotiated(revision: Revision) {
    on_current(|request| {
        request.span.revision(revision);
        request.meter.revision(revision);
    });
}

/// The request is answered with an error.
pub(crate) fn refused(error: &RpcError) {
    note(Outcome::Error(error.code));
}

/// The request is answered as an earlier one was.
pub(crate) fn repeated() {
    note(Outcome::Repeated);
}

pub(super) fn note(outcome: Outcome) {
    on_current(|request| request.outcome = Some(outcome));
}

/// Whether a span stands for the request.
#[cfg(feature = "tracing")]
pub(super) fn has_span() -> bool {
    CURRENT.with_borrow(|request| request.as_ref().is_some_and(|request| !request.span.is_disabled()))
}

/// The trace of which the request is a part.
#[cfg(feature = "tracing")]
pub(crate) fn context() -> Option<TraceContext> {
    CURRENT.with_borrow(|request| request.as_ref()?.span.context().cloned())
}

fn on_current(note: impl FnOnce(&mut Watched)) {
    // Not borrowed meanwhile: whatever listens to spans is somebody else's code.
    if let Some(mut request) = CURRENT.take() {
        note(&mut request);
        CURRENT.set(Some(request));
    }
}

impl Watched {
    /// `otherwise`: the outcome where nobody has said more.
    fn end(self, otherwise: Outcome) {
        let outcome = self.outcome.unwrap_or(otherwise);
        self.meter.end(outcome);
        self.span.end(outcome);
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        if let Some(request) = CURRENT.replace(self.before.take()) {
            request.end(Outcome::Done);
        }
    }
}

impl Deferred {
    /// Watches the request until the future is ready or dropped, be it before its first poll.
    pub(crate) fn follow<F: Future>(mut self, future: F) -> impl Future<Output = F::Output> {
        let mut followed = Followed(self.0.take());
        async move {
            let mut future = pin!(future);
            let output = poll_fn(|cx| {
                let _polling = Polling::new(&mut followed.0);
                future.as_mut().poll(cx)
            });
            let output = output.await;
            if let Some(request) = followed.0.take() {
                request.end(Outcome::Done);
            }
            output
        }
    }
}

impl Drop for Deferred {
    /// It waited for room, and is not to begin any more.
    fn drop(&mut self) {
        if let Some(request) = self.0.take() {
            request.end(Outcome::Cancelled);
        }
    }
}

/// A request that is being answered by a task.
struct Followed(Option<Watched>);

impl Drop for Followed {
    fn drop(&mut self) {
        if let Some(request) = self.0.take() {
            request.end(Outcome::Cancelled);
        }
    }
}

/// A request while its task is polled: known to that thread.
struct Polling<'a> {
    request: &'a mut Option<Watched>,
    before: Option<Watched>,
    _span: Option<EnteredSpan>,
}

impl<'a> Polling<'a> {
    fn new(request: &'a mut Option<Watched>) -> Self {
        let _span = request.as_ref().map(|request| request.span.enter());
        let before = CURRENT.replace(request.take());
        Self { request, before, _span }
    }
}

impl Drop for Polling<'_> {
    fn drop(&mut self) {
        *self.request = CURRENT.replace(self.before.take());
    }
}
