//! The parts of a session, and what the page shows of it.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::{
    api::{
        fault::DevFault,
        state::{DevEvent, DevState, Items, SessionAbilities, SessionSource},
    },
    calls::DevCalls,
    client::ClientPool,
    faults::rules::possible,
    hub::EventHub,
    log::MessageLog,
    model::DevModel,
};
use crate::{
    base::mutex::Mutex,
    edge::dev::target::{ClientSetup, DevTarget, TransportKind},
    wire::protocol::revision::Revision,
};

/// For how many clients the items are kept.
const MOST_ITEMS: usize = 8;

pub(crate) struct SessionOptions {
    /// The name of the program.
    pub(crate) program: String,
    pub(crate) source: SessionSource,
    pub(crate) model: Option<DevModel>,
    /// The values of secret settings, which are in no recording.
    pub(crate) secrets: Vec<String>,
}

/// A session of the page.
pub(crate) struct DevSession {
    pub(super) options: SessionOptions,
    pub(super) target: Arc<dyn DevTarget>,
    pub(crate) hub: Arc<EventHub>,
    pub(super) log: Arc<MessageLog>,
    pub(super) pool: Arc<ClientPool>,
    pub(super) calls: Arc<DevCalls>,
    /// What was listed last for each client, the latest one last.
    pub(super) items: Mutex<Vec<(ClientSetup, Items)>>,
    pub(super) tasks: Mutex<JoinSet<()>>,
}

impl DevSession {
    /// Creates a session. Nothing happens in it before [`begin`](Self::begin).
    pub(super) fn new(target: Arc<dyn DevTarget>, options: SessionOptions) -> Self {
        let (hub, log) = (Arc::<EventHub>::default(), Arc::<MessageLog>::default());
        let changed = {
            let hub = Arc::clone(&hub);
            move || {
                hub.publish(&DevEvent::ItemsChanged);
            }
        };
        Self {
            pool: Arc::new(ClientPool::new(Arc::clone(&target), Arc::clone(&log), changed)),
            calls: Arc::new(DevCalls::new(Arc::clone(&hub))),
            options,
            target,
            hub,
            log,
            items: Mutex::default(),
            tasks: Mutex::default(),
        }
    }

    /// Returns what the page shows of the program, its build and its processes.
    pub(crate) fn state(&self) -> DevState {
        let abilities = self.target.abilities();
        let transports = [(TransportKind::Stdio, abilities.stdio), (TransportKind::Http, abilities.http)];
        let transports = transports.into_iter().filter_map(|(transport, has)| has.then_some(transport));
        DevState {
            program: self.options.program.clone(),
            source: self.options.source.clone(),
            abilities: SessionAbilities {
                faults: if self.is_recording() { Vec::<DevFault>::new() } else { possible(abilities) },
                processes: abilities.processes,
                records: self.target.store().is_some(),
                transports: transports.collect(),
                tokens: abilities.principals,
                model: self.options.model.as_ref().map(|model| model.name.clone()),
            },
            revisions: Revision::ALL.map(Revision::as_str).to_vec(),
            status: self.target.status().borrow().clone(),
        }
    }

    /// Returns the events with which a follower begins: the state and all calls.
    pub(crate) fn snapshot(&self) -> Vec<String> {
        let (total, dropped) = self.log.totals();
        let calls = self.calls.all();
        let written = |event: &DevEvent<'_>| serde_json::to_string(event).unwrap_or_default();
        let mut events =
            vec![written(&DevEvent::State { state: &self.state() }), written(&DevEvent::Messages { total, dropped })];
        // The oldest call first, as they have begun.
        events.extend(calls.iter().rev().map(|call| written(&DevEvent::Call { call: &call.shown(false) })));
        events
    }

    pub(super) fn is_recording(&self) -> bool {
        matches!(self.options.source, SessionSource::Recording { .. })
    }

    /// Keeps what was listed for a client.
    pub(super) fn keep_items(&self, setup: &ClientSetup, items: &Items) {
        let mut kept = self.items.lock();
        kept.retain(|(other, _)| other != setup);
        if kept.len() == MOST_ITEMS {
            kept.remove(0);
        }
        kept.push((setup.clone(), items.clone()));
    }
}
