//! One request, from its arrival to its answer.
//!
//! The request being looked at is known to its thread: what takes part in answering notes there what it has learnt, the
//! tool and the outcome. One that is not answered at once is taken along by its task, and known to whichever thread
//! polls that.

use std::{cell::RefCell, future::poll_fn, pin::pin};

use super::{
    outcome::ObservedOutcome,
    signal::{Meters, RequestSignal, Signal, Spans},
};
use crate::{
    call::request::Peer,
    protocol::{id::Id, params::Meta, revision::Revision},
};

thread_local! {
    static CURRENT: RefCell<Option<ActiveRequest>> = const { RefCell::new(None) };
}

struct ActiveRequest {
    span: <Spans as Signal>::Request,
    meter: <Meters as Signal>::Request,
    /// What was learnt of it so far.
    outcome: Option<ObservedOutcome>,
}

/// A request on the thread that answers it. Dropped, it is answered, unless a task [follows](follow) it.
#[must_use]
pub(crate) struct Entered {
    /// A tool may be a client of another server.
    before: Option<ActiveRequest>,
    _span: <<Spans as Signal>::Request as RequestSignal>::Entered,
}

/// Watches a request until the returned value is dropped.
pub(super) fn enter(peer: &Peer, id: &Id<'_>, method: &str, meta: &Meta<'_>, revision: Option<Revision>) -> Entered {
    let span: <Spans as Signal>::Request = RequestSignal::begin(peer, id, method, meta, revision);
    let entered = span.enter();
    let watched = ActiveRequest { span, meter: RequestSignal::begin(peer, id, method, meta, revision), outcome: None };
    Entered { before: CURRENT.replace(Some(watched)), _span: entered }
}

/// Takes the request along that this thread is looking at, and watches it until the future is ready or dropped, be it
/// before its first poll.
pub(super) fn follow<F: Future>(future: F) -> impl Future<Output = F::Output> {
    let mut followed = Followed(CURRENT.take());
    async move {
        let mut future = pin!(future);
        let output = poll_fn(|cx| {
            let _polling = Polling::new(&mut followed.0);
            future.as_mut().poll(cx)
        });
        let output = output.await;
        if let Some(request) = followed.0.take() {
            request.end(ObservedOutcome::Done);
        }
        output
    }
}

/// The request calls this tool.
pub(super) fn tool(name: &str) {
    on_current(|request| {
        request.span.tool(name);
        request.meter.tool(name);
    });
}

/// The request opens a session of this revision.
pub(super) fn revision(revision: Revision) {
    on_current(|request| {
        request.span.revision(revision);
        request.meter.revision(revision);
    });
}

pub(super) fn note(outcome: ObservedOutcome) {
    on_current(|request| request.outcome = Some(outcome));
}

/// Reads the span of the request, if there is one.
pub(in crate::telemetry) fn with_span<T>(read: impl FnOnce(Option<&<Spans as Signal>::Request>) -> T) -> T {
    CURRENT.with_borrow(|request| read(request.as_ref().map(|request| &request.span)))
}

fn on_current(note: impl FnOnce(&mut ActiveRequest)) {
    // Not borrowed meanwhile: whatever listens to spans is somebody else's code.
    if let Some(mut request) = CURRENT.take() {
        note(&mut request);
        CURRENT.set(Some(request));
    }
}

impl ActiveRequest {
    /// `otherwise`: the outcome where nobody has said more.
    fn end(self, otherwise: ObservedOutcome) {
        let outcome = self.outcome.unwrap_or(otherwise);
        self.meter.end(outcome);
        self.span.end(outcome);
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        if let Some(request) = CURRENT.replace(self.before.take()) {
            request.end(ObservedOutcome::Done);
        }
    }
}

/// A request that is being answered by a task, or waits for its turn. Dropped, it is cancelled.
struct Followed(Option<ActiveRequest>);

impl Drop for Followed {
    fn drop(&mut self) {
        if let Some(request) = self.0.take() {
            request.end(ObservedOutcome::Cancelled);
        }
    }
}

/// A request while its task is polled: known to that thread.
struct Polling<'a> {
    request: &'a mut Option<ActiveRequest>,
    before: Option<ActiveRequest>,
    _span: Option<<<Spans as Signal>::Request as RequestSignal>::Entered>,
}

impl<'a> Polling<'a> {
    fn new(request: &'a mut Option<ActiveRequest>) -> Self {
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
