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
    engine::call::{Call, CallState, round_observer::CallObserver},
    wire::protocol::{error::RpcError, result::CallToolResult},
};

/// A call that is in a round or waits for its next round. It is boxed, because calls are moved often.
pub(crate) struct ObservedCall {
    /// The span of the round. `None` while the call waits for its next round.
    span: Option<CallSpan>,
    /// The start of the round, and the measurement of the round. `None` after the round has ended.
    round: Option<(Instant, CallMeter)>,
    /// Present while the call waits for its next round.
    _parked: Option<ParkedMeter>,
    /// Whether the outcome of the call is that of the request.
    is_of_request: bool,
}

impl ObservedCall {
    pub(super) fn new(call: &Arc<CallState>, round: u32) -> Box<Self> {
        let (span, meter) = (spans::call(call, round), meters::call(call, round));
        span.carry(request::with_span(RequestSpan::trace_without_span));
        Box::new(Self::begin(span, meter, true))
    }

    /// Observes the current round of a nested call.
    pub(super) fn nested(call: &Call) -> Box<Self> {
        let round = call.0.conversation.round();
        Box::new(Self::begin(spans::nested(call, round), meters::nested(call, round), false))
    }

    fn begin(span: CallSpan, meter: CallMeter, is_of_request: bool) -> Self {
        Self { span: Some(span), round: Some((Instant::now(), meter)), _parked: None, is_of_request }
    }

    /// Ends the round without a measurement.
    pub(super) fn end_unmeasured(&mut self, outcome: ObservedOutcome) {
        if self.round.take().is_some()
            && let Some(span) = &mut self.span
        {
            span.end(outcome, Duration::ZERO);
        }
    }

    /// Closes the span.
    pub(super) fn close(&mut self) {
        self.span = None;
    }

    pub(super) fn end(&mut self, outcome: ObservedOutcome) {
        let Some((start, mut meter)) = self.round.take() else { return };
        let took = start.elapsed();
        meter.end(outcome, took);
        if let Some(span) = &mut self.span {
            span.end(outcome, took);
        }
        if self.is_of_request {
            request::note(outcome);
        }
    }
}

impl CallObserver for Box<ObservedCall> {
    type Entered = Option<EnteredSpan>;

    fn enter(&self) -> Self::Entered {
        self.span.as_ref().map(CallSpan::enter)
    }

    fn done(&mut self, outcome: Result<&CallToolResult, &RpcError>) {
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
        self.end_unmeasured(ObservedOutcome::NotBegun);
    }

    fn asked(&mut self) {
        self.end(ObservedOutcome::Asked);
        self.close();
        self._parked = Some(meters::parked());
    }
}
