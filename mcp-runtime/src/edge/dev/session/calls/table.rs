//! All calls of a session.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Weak,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use tokio::sync::mpsc;

use super::live::{CallCommand, DevLiveCall};
use crate::{
    base::mutex::Mutex,
    edge::dev::{
        session::{
            api::call::{CallRequest, DevCall},
            error::SessionError,
            hub::EventHub,
        },
        target::ClientSetup,
    },
};

/// How many calls are kept, and how many bytes of events. The oldest calls that have ended are dropped first.
const MOST_CALLS: usize = 500;
const MOST_BYTES: usize = 32 * 1024 * 1024;

pub(crate) struct DevCalls {
    /// The oldest call first.
    calls: Mutex<VecDeque<Arc<DevLiveCall>>>,
    last_id: AtomicU64,
    bytes: Arc<AtomicUsize>,
    hub: Arc<EventHub>,
    /// The calls of the requests that were sent.
    requests: Mutex<HashMap<u64, Weak<DevLiveCall>>>,
}

impl DevCalls {
    pub(crate) fn new(hub: Arc<EventHub>) -> Self {
        Self {
            calls: Mutex::default(),
            last_id: AtomicU64::new(0),
            bytes: Arc::default(),
            hub,
            requests: Mutex::default(),
        }
    }

    /// Adds a call.
    ///
    /// # Errors
    /// Fails if too many calls are open.
    pub(crate) fn add(
        &self,
        request: CallRequest,
        setup: ClientSetup,
    ) -> Result<(Arc<DevLiveCall>, mpsc::UnboundedReceiver<CallCommand>), SessionError> {
        let mut calls = self.calls.lock();
        self.make_room(&mut calls, MOST_CALLS - 1);
        if calls.len() >= MOST_CALLS {
            let advice = "cancel one of them";
            return Err(SessionError::TooMany(format!("{MOST_CALLS} calls are open, which is the limit; {advice}")));
        }
        let id = format!("c{}", self.last_id.fetch_add(1, Ordering::Relaxed) + 1);
        let (call, commands) =
            DevLiveCall::new(id.into(), request, setup, Arc::clone(&self.hub), Arc::clone(&self.bytes));
        let call = Arc::new(call);
        calls.push_back(Arc::clone(&call));
        Ok((call, commands))
    }

    /// Adds a call of a recording.
    pub(crate) fn restore(&self, call: DevCall) {
        let call = DevLiveCall::restored(call, Arc::clone(&self.hub), Arc::clone(&self.bytes));
        let mut calls = self.calls.lock();
        calls.push_back(Arc::new(call));
        self.make_room(&mut calls, MOST_CALLS);
    }

    fn make_room(&self, calls: &mut VecDeque<Arc<DevLiveCall>>, most: usize) {
        let mut excess = self.bytes.load(Ordering::Relaxed).saturating_sub(MOST_BYTES);
        while calls.len() > most || excess > 0 {
            let ended = calls.iter().position(|call| !call.is_open());
            let Some(call) = ended.and_then(|at| calls.remove(at)) else { return };
            excess = excess.saturating_sub(call.bytes());
        }
    }

    /// Drops the oldest ended calls if all events together take too many bytes.
    pub(super) fn limit_bytes(&self) {
        if self.bytes.load(Ordering::Relaxed) > MOST_BYTES {
            self.make_room(&mut self.calls.lock(), MOST_CALLS);
        }
    }

    /// Returns all calls, the newest one first.
    pub(crate) fn all(&self) -> Vec<Arc<DevLiveCall>> {
        self.calls.lock().iter().rev().cloned().collect()
    }

    /// Returns a call.
    ///
    /// # Errors
    /// Fails if there is no such call, or it was dropped.
    pub(crate) fn find(&self, id: &str) -> Result<Arc<DevLiveCall>, SessionError> {
        let found = self.calls.lock().iter().find(|call| *call.id == *id).cloned();
        found
            .ok_or_else(|| SessionError::NotFound(format!("there is no call `{id}`, or it was dropped for later ones")))
    }

    /// Notes that a request belongs to a call.
    pub(super) fn sent(&self, request: u64, call: &Arc<DevLiveCall>) {
        let mut requests = self.requests.lock();
        if requests.len().is_power_of_two() {
            requests.retain(|_, call| call.strong_count() > 0);
        }
        requests.insert(request, Arc::downgrade(call));
    }

    /// Returns the call of a request, whose id is given as JSON text. If a report names no request, it belongs to the
    /// only call that runs.
    pub(crate) fn of_request(&self, request: Option<&str>) -> Option<Arc<DevLiveCall>> {
        match request {
            Some(request) => self.requests.lock().get(&request.trim_matches('"').parse().ok()?)?.upgrade(),
            None => {
                let calls = self.calls.lock();
                let mut working = calls.iter().filter(|call| call.is_working());
                let only = working.next().cloned();
                only.filter(|_| working.next().is_none())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::dev::{
        session::api::{call::DevCallStatus, event::CallEventKind},
        target::{SetupCapabilities, TransportKind},
    };

    fn add(table: &DevCalls) -> Result<Arc<DevLiveCall>, SessionError> {
        let setup = ClientSetup {
            revision: "2026-07-28".to_owned(),
            transport: TransportKind::Stdio,
            capabilities: SetupCapabilities::default(),
            principal: None,
            other_instance: false,
        };
        table.add(CallRequest::Resource { uri: "a://b".to_owned() }, setup).map(|(call, _)| call)
    }

    #[test]
    fn the_oldest_ended_call_makes_room() {
        let table = DevCalls::new(Arc::default());
        let calls: Vec<_> = (0..MOST_CALLS).map(|_| add(&table).unwrap()).collect();
        assert!(matches!(add(&table), Err(SessionError::TooMany(_))), "all calls are open");
        calls[7].end(DevCallStatus::Cancelled, CallEventKind::Cancelled, None);
        let last = add(&table).unwrap();
        assert!(table.find(&calls[7].id).is_err() && table.find(&calls[0].id).is_ok());
        assert_eq!(table.all()[0].id, last.id);
    }

    #[test]
    fn the_events_of_ended_calls_are_bounded() {
        let table = DevCalls::new(Arc::default());
        for _ in 0..40 {
            let call = add(&table).unwrap();
            let result = serde_json::json!("x".repeat(2 * 1024 * 1024));
            call.end(DevCallStatus::Finished, CallEventKind::Finished { result }, None);
            drop(call);
            table.limit_bytes();
        }
        assert!(table.bytes.load(Ordering::Relaxed) <= MOST_BYTES);
        assert!((10..20).contains(&table.all().len()));
    }

    #[test]
    fn a_talkative_call_loses_its_oldest_log_messages() {
        let table = DevCalls::new(Arc::default());
        let call = add(&table).unwrap();
        for number in 0..20 {
            let data = serde_json::json!(format!("{number} {}", "x".repeat(1024 * 1024)));
            let level = crate::wire::protocol::level::Level::Info;
            call.publish(CallEventKind::Log { level, logger: None, data }, None);
        }
        let events = call.shown(true).events.unwrap();
        assert!(events.len() < 10 && events.last().unwrap().id == 20);
    }
}
