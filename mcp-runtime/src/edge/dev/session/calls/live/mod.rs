//! A call with its events.

mod questions;
mod restored;

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::Value;
use tokio::sync::mpsc;

use crate::{
    base::{clock, mutex::Mutex},
    edge::dev::{
        session::{
            api::{
                call::{CallRequest, DevCall, DevCallStatus, DevQuestion},
                event::{CallEvent, CallEventKind},
                fault::DevFault,
                record::DevCallRecord,
                state::DevEvent,
            },
            hub::EventHub,
            record::{self, KnownCall},
        },
        target::{ClientSetup, DevTarget},
    },
};

/// The most bytes of the events of one call. If there are more, its oldest log messages and reports are dropped.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// What the page wants of a call.
pub(crate) enum CallCommand {
    /// The result for the question with this number.
    Answer {
        seq: u32,
        result: Value,
    },
    /// A model has to answer the question.
    AskModel(DevQuestion),
    Cancel,
    Fault(DevFault),
}

/// A call of this session, or one of a recording.
pub(crate) struct DevLiveCall {
    pub(crate) id: Arc<str>,
    pub(crate) request: CallRequest,
    pub(crate) setup: ClientSetup,
    /// The key that goes with the first request.
    pub(crate) idempotency_key: Option<String>,
    started_at: u64,
    begun: Instant,
    state: Mutex<LiveState>,
    commands: mpsc::UnboundedSender<CallCommand>,
    hub: Arc<EventHub>,
    /// The bytes of the events of all calls.
    all_bytes: Arc<AtomicUsize>,
}

struct LiveState {
    status: DevCallStatus,
    took: Option<Duration>,
    round: u32,
    questions: Vec<DevQuestion>,
    last_seq: u32,
    armed: Option<DevFault>,
    last_event: u64,
    events: Vec<(usize, CallEvent)>,
    bytes: usize,
    ran: BTreeMap<String, u32>,
    /// The state of the latest round that ended with questions.
    carried: Option<String>,
}

impl LiveState {
    fn new() -> Self {
        Self {
            status: DevCallStatus::Working,
            took: None,
            round: 1,
            questions: Vec::new(),
            last_seq: 0,
            armed: None,
            last_event: 0,
            events: Vec::new(),
            bytes: 0,
            ran: BTreeMap::new(),
            carried: None,
        }
    }
}

impl DevLiveCall {
    pub(super) fn new(
        id: Arc<str>,
        request: CallRequest,
        setup: ClientSetup,
        hub: Arc<EventHub>,
        all_bytes: Arc<AtomicUsize>,
    ) -> (Self, mpsc::UnboundedReceiver<CallCommand>) {
        let (commands, received) = mpsc::unbounded_channel();
        let call = Self {
            idempotency_key: Some(format!("{id}-{}", crate::base::random::hex())),
            id,
            request,
            setup,
            started_at: clock::now(),
            begun: Instant::now(),
            state: Mutex::new(LiveState::new()),
            commands,
            hub,
            all_bytes,
        };
        (call, received)
    }

    /// Returns the call as the page shows it.
    pub(crate) fn shown(&self, with_events: bool) -> DevCall {
        self.in_state(&self.state.lock(), with_events)
    }

    fn in_state(&self, state: &LiveState, with_events: bool) -> DevCall {
        DevCall {
            id: self.id.to_string(),
            request: self.request.clone(),
            setup: self.setup.clone(),
            status: state.status,
            started_at: self.started_at,
            took: state.took.map(clock::millis),
            rounds: state.round,
            questions: state.questions.clone(),
            armed: state.armed,
            last_event: state.last_event,
            events: with_events.then(|| state.events.iter().map(|(_, event)| event.clone()).collect()),
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.state.lock().status.is_open()
    }

    pub(super) fn is_working(&self) -> bool {
        self.state.lock().status == DevCallStatus::Working
    }

    pub(super) fn bytes(&self) -> usize {
        self.state.lock().bytes
    }

    /// Adds an event.
    pub(crate) fn publish(&self, kind: CallEventKind, wire: Option<u64>) {
        let wire = wire.filter(|_| !matches!(kind, CallEventKind::Progress { .. }));
        let mut state = self.state.lock();
        state.last_event += 1;
        let event = CallEvent { id: state.last_event, at: clock::now(), round: state.round, wire, kind };
        let bytes = length(self.hub.publish(&DevEvent::Event { call: &self.id, event: &event }));
        state.events.push((bytes, event));
        state.bytes += bytes;
        self.all_bytes.fetch_add(bytes, Ordering::Relaxed);
        if state.bytes > MOST_BYTES {
            self.drop_oldest(&mut state);
        }
    }

    /// Drops log messages and reports until the events of the call take three quarters of their limit.
    fn drop_oldest(&self, state: &mut LiveState) {
        let mut excess = state.bytes.saturating_sub(MOST_BYTES / 4 * 3);
        let mut dropped = 0;
        state.events.retain(|(bytes, event)| {
            let is_dropped =
                excess > 0 && matches!(event.kind, CallEventKind::Log { .. } | CallEventKind::Progress { .. });
            if is_dropped {
                excess = excess.saturating_sub(*bytes);
                dropped += bytes;
            }
            !is_dropped
        });
        state.bytes -= dropped;
        self.all_bytes.fetch_sub(dropped, Ordering::Relaxed);
    }

    /// Shows the followers the call without its events.
    pub(crate) fn show(&self) {
        // Locked until it is published, so that no older state comes after a newer one.
        let state = self.state.lock();
        self.hub.publish(&DevEvent::Call { call: &self.in_state(&state, false) });
    }

    pub(super) fn begin_round(&self, round: u32) {
        self.state.lock().round = round;
    }

    pub(super) fn round(&self) -> u32 {
        self.state.lock().round
    }

    pub(crate) fn command(&self, command: CallCommand) {
        // Fails only if the call has ended.
        let _ = self.commands.send(command);
    }

    /// Arms a fault, in place of another one.
    pub(crate) fn arm(&self, fault: DevFault) {
        self.state.lock().armed = Some(fault);
        self.show();
    }

    /// Returns whether this fault is armed, and disarms it.
    pub(super) fn take_armed(&self, fault: DevFault) -> bool {
        self.take_armed_if(|armed| armed == fault).is_some()
    }

    /// Disarms the fault that is armed, and returns it.
    pub(crate) fn disarm(&self) -> Option<DevFault> {
        self.take_armed_if(|_| true)
    }

    fn take_armed_if(&self, is_wanted: impl Fn(DevFault) -> bool) -> Option<DevFault> {
        let taken = self.state.lock().armed.take_if(|armed| is_wanted(*armed));
        if taken.is_some() {
            self.show();
        }
        taken
    }

    /// Notes that a phase or step has begun to run.
    pub(crate) fn ran(&self, name: &str) {
        let times = {
            let mut state = self.state.lock();
            let times = state.ran.entry(name.to_owned()).or_default();
            *times += 1;
            *times
        };
        self.publish(CallEventKind::Ran { name: name.to_owned(), times }, None);
    }

    /// Returns how often each phase and step has run.
    pub(crate) fn runs(&self) -> BTreeMap<String, u32> {
        self.state.lock().ran.clone()
    }

    pub(super) fn carry(&self, state: Option<String>) {
        if state.is_some() {
            self.state.lock().carried = state;
        }
    }

    /// Returns what the server remembers of the call.
    ///
    /// # Errors
    /// Fails if the store cannot be read.
    pub(crate) async fn record(&self, target: &dyn DevTarget) -> Result<DevCallRecord, String> {
        // A statement of its own, because the lock is held until its end.
        let carried = self.state.lock().carried.clone();
        let known = KnownCall {
            request: &self.request,
            setup: &self.setup,
            state: carried.as_deref(),
            idempotency_key: self.idempotency_key.as_deref(),
            ran: self.runs(),
        };
        record::read(target, known).await
    }

    /// Ends the call with this event.
    pub(super) fn end(&self, status: DevCallStatus, last: CallEventKind, wire: Option<u64>) {
        {
            let mut state = self.state.lock();
            state.status = status;
            state.took = Some(self.begun.elapsed());
            state.questions.clear();
            state.armed = None;
        }
        self.publish(last, wire);
        self.show();
    }
}

impl Drop for DevLiveCall {
    fn drop(&mut self) {
        let bytes = self.state.get_mut().bytes;
        self.all_bytes.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// Returns about how many bytes an event takes whose JSON has this length.
fn length(json: usize) -> usize {
    json + 100
}
