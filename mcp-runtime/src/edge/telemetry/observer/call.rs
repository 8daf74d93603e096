//! Observes one round of a call, from its start to its result or its questions.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::request;
use crate::{
    edge::telemetry::{
        meters::{self, CallMeter, ParkedMeter},
        outcome::ObservedOutcome,
        spans::{self, CallSpan, EnteredSpan, RequestSpan},
    },
    engine::call::{CallState, round_observer::CallObserver, running},
};

/// A call that is in a round or waits for its next round. It is boxed, because calls are moved often.
pub(crate) struct ObservedCall {
    /// The span of the round. `None` while the call waits for its next round.
    span: Option<CallSpan>,
    /// The start of the round, and the measurement of the round. `None` after the round has ended.
    round: Option<(Instant, CallMeter)>,
    /// Present while the call waits for its next round.
    _parked: Option<ParkedMeter>,
}

impl ObservedCall {
    pub(super) fn new(call: &Arc<CallState>, round: u32) -> Box<Self> {
        let (span, meter) = (spans::call(call, round), meters::call(call, round));
        span.carry(request::with_span(RequestSpan::trace_without_span));
        Box::new(Self { span: Some(span), round: Some((Instant::now(), meter)), _parked: None })
    }

    fn end(&mut self, outcome: ObservedOutcome) {
        let Some((start, mut meter)) = self.round.take() else { return };
        let took = start.elapsed();
        meter.end(outcome, took);
        if let Some(span) = &mut self.span {
            span.end(outcome, took);
        }
        request::note(outcome);
    }
}

impl CallObserver for Box<ObservedCall> {
    type Entered = Option<EnteredSpan>;

    fn enter(&self) -> Self::Entered {
        self.span.as_ref().map(CallSpan::enter)
    }

    fn done(&mut self, outcome: &running::CallOutcome) {
        self.end(ObservedOutcome::of(outcome));
    }

    fn panicked(&mut self) {
        self.end(ObservedOutcome::Panicked);
    }

    fn timed_out(&mut self) {
        self.end(ObservedOutcome::TimedOut);
    }

    fn cancelled(&mut self) {
        self.end(ObservedOutcome::Cancelled);
    }

    fn not_begun(&mut self) {
        if self.round.take().is_some()
            && let Some(span) = &mut self.span
        {
            span.end(ObservedOutcome::NotBegun, Duration::ZERO);
        }
    }

    fn asked(&mut self) {
        self.end(ObservedOutcome::Asked);
        self.span = None;
        self._parked = Some(meters::parked());
    }
}
