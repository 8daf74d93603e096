//! A process that serves the tool, and a client that is connected to it.

use std::{
    pin::pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

use serde_json::{Value, json};

#[cfg(feature = "remote")]
use super::abroad::{other_server, register};
use super::{
    Rules,
    ledger::GatedLedger,
    points::Points,
    store::{Clock, SharedStore, Wall},
    tools::{Effects, Process, ToolKind},
};
use crate::{
    MemoryClient, Server, Service,
    engine::durable::{
        continuation::RequestStates,
        ledger::{LedgerShards, ShardClaims},
    },
};

pub(super) struct Instance {
    /// The number of the process. No killed process had the same number.
    pub(super) process: usize,
    pub(super) ledger: GatedLedger,
    /// The wall clock of its machine.
    pub(super) wall: Wall,
    service: Service,
    client: MemoryClient,
    kind: ToolKind,
}

/// The state that all instances share.
#[derive(Clone)]
pub(super) struct Common {
    pub(super) rules: Rules,
    pub(super) kind: ToolKind,
    pub(super) points: Points,
    pub(super) store: Arc<Mutex<SharedStore>>,
    pub(super) effects: Arc<Mutex<Effects>>,
    /// The other server, if the tool calls one.
    #[cfg(feature = "remote")]
    pub(super) other: Option<Service>,
}

impl Common {
    pub(super) fn new(rules: Rules, kind: ToolKind) -> Self {
        let (points, effects) = (Points::default(), Arc::default());
        Self {
            rules,
            kind,
            #[cfg(feature = "remote")]
            other: match kind {
                ToolKind::Abroad { minds_keys } => Some(other_server(minds_keys, rules, &points, &effects)),
                _ => None,
            },
            points,
            store: Arc::new(Mutex::new(SharedStore::new())),
            effects,
        }
    }
}

impl Instance {
    pub(super) fn start(common: &Common, process: usize, wall: Wall) -> Self {
        let Common { rules, kind, points, store, effects, .. } = common.clone();
        let ledger = GatedLedger::new(process, points, store, Clock::new(rules, wall.clone()), !rules.fence);
        let server = Server::new("trips", "1").ledger(ledger.clone());
        #[cfg(feature = "seal")]
        let server = server.state_keys(crate::engine::durable::seal::KeyRing::new([7; 32]));
        let server = kind.register(server, &Process { ledger: ledger.clone(), effects });
        #[cfg(feature = "remote")]
        let server = match &common.other {
            Some(other) => register(server, other),
            None => server,
        };
        let mut service = server.build().unwrap();
        if !rules.seal {
            let inner = Arc::get_mut(&mut service.0).expect("it is new");
            let durable = Arc::get_mut(&mut inner.durable).expect("it is new");
            durable.request_states = RequestStates::default();
        }
        let (ledgers, cipher) =
            (LedgerShards::new(Arc::new(ledger.clone())), service.0.durable.request_states.outcome_cipher());
        let claims = ShardClaims::new(ledgers, rules.lease, cipher.as_ref());
        assert!(service.0.durable.claims.set(claims).is_ok(), "not created yet");
        Self { process, ledger, wall, client: service.memory(), service, kind }
    }

    pub(super) async fn send(&self, id: usize, more: &Value) {
        let mut params = json!({ "name": self.kind.name(), "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        }});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        self.client.send(&request.to_string()).await;
    }

    pub(super) async fn cancel(&self, id: usize) {
        let params = json!({ "requestId": id });
        let notification = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        self.client.send(&notification.to_string()).await;
    }

    /// Drops the connection with its requests, and opens a new one.
    pub(super) fn disconnect(&mut self) {
        self.client = self.service.memory();
    }

    /// Drops all parked futures.
    pub(super) fn forget(&self) {
        self.service.0.durable.parking().forget_futures();
    }

    /// Returns the next response that is ready, with the id of its request.
    pub(super) fn receive(&mut self) -> Option<(usize, Value)> {
        let message = pin!(self.client.receive()).poll(&mut Context::from_waker(Waker::noop()));
        let Poll::Ready(Some(message)) = message else { return None };
        let response: Value = serde_json::from_str(&message).unwrap();
        Some((response["id"].as_u64().unwrap().try_into().unwrap(), response))
    }

    /// Kills the process, so that it has no further effect.
    pub(super) fn kill(&self) {
        self.ledger.kill();
    }
}
