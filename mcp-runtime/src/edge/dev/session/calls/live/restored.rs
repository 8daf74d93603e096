//! Calls of a recording.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::sync::mpsc;

use super::{DevLiveCall, LiveState, length};
use crate::{
    base::mutex::Mutex,
    edge::dev::session::{
        api::{
            call::{DevCall, DevCallStatus},
            event::{CallEvent, CallEventKind},
        },
        hub::EventHub,
    },
};

impl DevLiveCall {
    /// Creates a call of a recording.
    pub(in super::super) fn restored(call: DevCall, hub: Arc<EventHub>, all_bytes: Arc<AtomicUsize>) -> Self {
        let (commands, _) = mpsc::unbounded_channel();
        let DevCall { id, request, setup, status, started_at, took, rounds, last_event, events, .. } = call;
        let mut ran = BTreeMap::new();
        for event in events.iter().flatten() {
            if let CallEventKind::Ran { name, times } = &event.kind {
                ran.insert(name.clone(), *times);
            }
        }
        let events: Vec<_> = events.into_iter().flatten().map(|event| (length(written(&event)), event)).collect();
        let bytes = events.iter().map(|(bytes, _)| bytes).sum();
        all_bytes.fetch_add(bytes, Ordering::Relaxed);
        let state = LiveState {
            // Nothing answers the call any more.
            status: if status.is_open() { DevCallStatus::Cancelled } else { status },
            took: took.map(Duration::from_millis),
            round: rounds,
            last_event,
            events,
            bytes,
            ran,
            ..LiveState::new()
        };
        Self {
            id: id.into(),
            request,
            setup,
            idempotency_key: None,
            started_at,
            begun: Instant::now(),
            state: Mutex::new(state),
            commands,
            hub,
            all_bytes,
        }
    }
}

/// Returns the length of an event as JSON.
fn written(event: &CallEvent) -> usize {
    serde_json::to_vec(event).map_or(0, |text| text.len())
}
