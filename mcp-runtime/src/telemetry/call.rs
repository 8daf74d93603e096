//! One round of a call, from its begin to its result or its questions.

use std::{sync::Arc, time::Duration};

use super::{
    meters::{CallMeter, ParkedMeter},
    outcome::Outcome,
    request,
    spans::{CallSpan, EnteredSpan},
};
use crate::{
    call::CallState,
    protocol::{error::RpcError, result::CallToolResult},
};

/// A call in its round, or waiting for the next one. In a box: calls are moved about.
pub(crate) struct CallWatch(Box<Watched>);

struct Watched {
    span: CallSpan,
    /// Until the round ends.
    meter: Option<CallMeter>,
    /// From its questions to the next round.
    _parked: Option<ParkedMeter>,
}

impl CallWatch {
    /// `round`: 0 is that of the first request.
    pub(crate) fn new(call: &Arc<CallState>, round: u32) -> Self {
        let (span, meter) = (CallSpan::new(call, round), CallMeter::new(call.tool_name(), round));
        Self(Box::new(Watched { span, meter: Some(meter), _parked: None }))
    }

    /// Enters its span, until what this gives is dropped.
    pub(crate) fn enter(&self) -> EnteredSpan {
        self.0.span.enter()
    }

    pub(crate) fn done(&mut self, outcome: &Result<CallToolResult, RpcError>) {
        self.end(Outcome::of(outcome));
    }

    pub(crate) fn panicked(&mut self) {
        self.end(Outcome::Panicked);
    }

    pub(crate) fn timed_out(&mut self) {
        self.end(Outcome::TimedOut);
    }

    pub(crate) fn cancelled(&mut self) {
        self.end(Outcome::Cancelled);
    }

    /// It was refused before anything of it ran. What became of the request is another matter.
    pub(crate) fn not_begun(&mut self) {
        if self.0.meter.take().is_some() {
            self.0.span.end(Outcome::NotBegun, Duration::ZERO);
        }
    }

    /// The round ends with questions: the call waits for the next one.
    pub(crate) fn asked(&mut self) {
        self.end(Outcome::Asked);
        self.0.span = CallSpan::none();
        self.0._parked = Some(ParkedMeter::new());
    }

    /// The first end counts.
    fn end(&mut self, outcome: Outcome) {
        let Some(meter) = self.0.meter.take() else { return };
        let took = meter.end(outcome);
        self.0.span.end(outcome, took);
        request::note(outcome);
    }
}
