//! A session of the page: the client of the server that is tried, its calls with their faults, and the log of all
//! messages.
//!
//! Each part uses only those before it: `api` has the data of the interface, `hub` the stream of events, `log` the
//! messages, `client` the connections, `record` what the server remembers, `faults` what can go wrong, `calls` the
//! conversations; `commands`, `as_test` and `recording` write a call or a session in other forms.

pub(crate) mod api;
mod as_test;
mod background;
mod calls;
mod client;
mod commands;
pub(crate) mod error;
mod faults;
pub(crate) mod hub;
mod log;
pub(crate) mod model;
mod record;
pub(crate) mod recording;
mod requests;
#[cfg(test)]
pub(crate) mod tests;

use std::sync::Arc;

use tokio::task::JoinSet;

use self::{
    api::{
        fault::Fault,
        state::{DevEvent, DevState, Items, SessionAbilities, SessionSource},
    },
    calls::CallTable,
    client::ClientPool,
    faults::rules::possible,
    hub::EventHub,
    log::MessageLog,
    model::DevModel,
};
pub(crate) use self::{client::CompletionRequest, requests::NewCall};
use super::target::{ClientSetup, DevTarget, TransportKind};
use crate::{base::mutex::Mutex, wire::protocol::revision::Revision};

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
pub(crate) struct Session {
    options: SessionOptions,
    target: Arc<dyn DevTarget>,
    pub(crate) hub: Arc<EventHub>,
    log: Arc<MessageLog>,
    pool: Arc<ClientPool>,
    calls: Arc<CallTable>,
    /// What was listed last for each client, the latest one last.
    items: Mutex<Vec<(ClientSetup, Items)>>,
    tasks: Mutex<JoinSet<()>>,
}

impl Session {
    /// Begins a session.
    ///
    /// # Panics
    /// Panics outside of a tokio runtime.
    pub(crate) fn begin(target: Arc<dyn DevTarget>, options: SessionOptions) -> Arc<Self> {
        let (hub, log) = (Arc::<EventHub>::default(), Arc::<MessageLog>::default());
        let changed = {
            let hub = Arc::clone(&hub);
            move || hub.publish(&DevEvent::ItemsChanged)
        };
        let session = Arc::new(Self {
            pool: Arc::new(ClientPool::new(Arc::clone(&target), Arc::clone(&log), changed)),
            calls: Arc::new(CallTable::new(Arc::clone(&hub))),
            options,
            target,
            hub,
            log,
            items: Mutex::default(),
            tasks: Mutex::default(),
        });
        background::start(&session);
        session
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
                faults: if self.is_recording() { Vec::<Fault>::new() } else { possible(abilities) },
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

    fn is_recording(&self) -> bool {
        matches!(self.options.source, SessionSource::Recording { .. })
    }

    /// Keeps what was listed for a client.
    fn keep_items(&self, setup: &ClientSetup, items: &Items) {
        let mut kept = self.items.lock();
        kept.retain(|(other, _)| other != setup);
        if kept.len() == MOST_ITEMS {
            kept.remove(0);
        }
        kept.push((setup.clone(), items.clone()));
    }
}
