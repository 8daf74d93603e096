//! Observes one request, from its arrival to its answer.
//!
//! A thread-local holds the request that the thread is answering, with its tool and its outcome. A request that is not
//! answered at once moves into its task. While a thread polls the task, the thread-local of that thread holds the
//! request.

#[cfg(feature = "dev")]
use std::sync::Arc;
use std::{cell::RefCell, future::poll_fn, pin::pin, time::Instant};

use crate::{
    edge::telemetry::{
        meters::{self, RequestMeter},
        outcome::ObservedOutcome,
        spans::{self, EnteredSpan, RequestSpan},
    },
    engine::call::request::Peer,
    wire::protocol::{id::Id, params::Meta, revision::Revision},
};

thread_local! {
    static CURRENT: RefCell<Option<ActiveRequest>> = const { RefCell::new(None) };
}

#[cfg(feature = "dev")]
thread_local! {
    /// The id of the request whose end is recorded: it is not the current one any more.
    static ENDING: RefCell<Option<Arc<str>>> = const { RefCell::new(None) };
}

struct ActiveRequest {
    start: Instant,
    span: RequestSpan,
    meter: RequestMeter,
    /// The outcome reported so far.
    outcome: Option<ObservedOutcome>,
    /// The id of the request, as JSON text.
    #[cfg(feature = "dev")]
    id: Arc<str>,
}

/// A guard for the request that this thread is answering. Dropping it records that the request is answered, unless the
/// request has moved into a task ([`follow`]).
#[must_use]
pub(crate) struct AnsweredRequest {
    /// The request that the thread was answering before, if any. A thread can answer two requests at once if a tool
    /// calls another server in the same process.
    before: Option<ActiveRequest>,
    _span: EnteredSpan,
}

/// Observes a request until the returned value is dropped.
pub(super) fn enter(
    peer: &Peer,
    id: &Id<'_>,
    method: &str,
    meta: &Meta<'_>,
    revision: Option<Revision>,
) -> AnsweredRequest {
    let start = Instant::now();
    let span = spans::request(peer, id, method, meta, revision);
    let entered = span.enter();
    let request = ActiveRequest {
        start,
        span,
        meter: meters::request(peer, id, method, meta, revision),
        outcome: None,
        #[cfg(feature = "dev")]
        id: id.as_json().into(),
    };
    AnsweredRequest { before: CURRENT.replace(Some(request)), _span: entered }
}

/// Moves the request of this thread into the returned future. The request is observed until that future is ready or
/// dropped, even if that future is never polled.
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

/// Records the tool of the current request.
pub(super) fn tool(name: &str) {
    on_current(|request| {
        request.span.tool(name);
        request.meter.tool(name);
    });
}

/// Records the revision of the session that the current request opens.
pub(super) fn revision(revision: Revision) {
    on_current(|request| {
        request.span.revision(revision);
        request.meter.revision(revision);
    });
}

pub(super) fn note(outcome: ObservedOutcome) {
    on_current(|request| request.outcome = Some(outcome));
}

/// Calls `read` with the span of the current request, or with `None` if the thread is not answering a request.
pub(super) fn with_span<T>(read: impl FnOnce(Option<&RequestSpan>) -> T) -> T {
    CURRENT.with_borrow(|request| read(request.as_ref().map(|request| &request.span)))
}

/// Returns the id of the request that this thread answers, as JSON text.
#[cfg(feature = "dev")]
pub(crate) fn current_id() -> Option<Arc<str>> {
    let current = || CURRENT.with_borrow(|request| request.as_ref().map(|request| Arc::clone(&request.id)));
    ENDING.with_borrow(Clone::clone).or_else(current)
}

fn on_current(note: impl FnOnce(&mut ActiveRequest)) {
    // The request is taken out and not borrowed, because code of a subscriber can call this function again.
    if let Some(mut request) = CURRENT.take() {
        note(&mut request);
        CURRENT.set(Some(request));
    }
}

impl ActiveRequest {
    /// Ends the request. If no outcome was reported, records `otherwise` as the outcome.
    fn end(mut self, otherwise: ObservedOutcome) {
        let (outcome, took) = (self.outcome.unwrap_or(otherwise), self.start.elapsed());
        #[cfg(feature = "dev")]
        let before = ENDING.replace(Some(Arc::clone(&self.id)));
        self.meter.end(outcome, took);
        self.span.end(outcome, took);
        #[cfg(feature = "dev")]
        ENDING.set(before);
    }
}

impl Drop for AnsweredRequest {
    fn drop(&mut self) {
        if let Some(request) = CURRENT.replace(self.before.take()) {
            request.end(ObservedOutcome::Done);
        }
    }
}

/// A request in a task. If this value is dropped before the task has ended, the request was cancelled.
struct Followed(Option<ActiveRequest>);

impl Drop for Followed {
    fn drop(&mut self) {
        if let Some(request) = self.0.take() {
            request.end(ObservedOutcome::Cancelled);
        }
    }
}

/// A guard that holds a request in the thread-local while its task is polled.
struct Polling<'a> {
    request: &'a mut Option<ActiveRequest>,
    before: Option<ActiveRequest>,
    _span: Option<EnteredSpan>,
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
