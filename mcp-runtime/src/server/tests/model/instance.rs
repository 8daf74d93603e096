//! A process that serves the tool, and a client connected to it.

use std::{
    pin::pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

use serde_json::{Value, json};

use super::{
    Rules,
    points::Points,
    shelf::{Clock, Shelf, Wall},
    tools::{Deeds, Kind, Process},
    way::Way,
};
use crate::{
    MemoryClient, Server, Service,
    durable::{
        continuation::{Handles, RequestStates},
        ledger::Claims,
    },
};

pub(super) struct Instance {
    /// No other has it, before a kill or after.
    pub(super) process: usize,
    pub(super) way: Way,
    /// Of its machine.
    pub(super) wall: Wall,
    service: Service,
    client: MemoryClient,
    kind: Kind,
}

/// What all processes have in common.
#[derive(Clone)]
pub(super) struct Common {
    pub(super) rules: Rules,
    pub(super) kind: Kind,
    pub(super) points: Points,
    pub(super) shelf: Arc<Mutex<Shelf>>,
    pub(super) deeds: Arc<Mutex<Deeds>>,
}

impl Instance {
    pub(super) fn start(common: &Common, process: usize, wall: Wall) -> Self {
        let Common { rules, kind, points, shelf, deeds } = common.clone();
        let way = Way::new(process, points, shelf, Clock::new(rules, wall.clone()), !rules.fence);
        let server = Server::new("trips", "1").ledger(way.clone());
        #[cfg(feature = "seal")]
        let server = server.state_keys(crate::KeyRing::new([7; 32]));
        let server = kind.register(server, &Process { way: way.clone(), deeds });
        let mut service = server.build().unwrap();
        if !rules.seal {
            let inner = Arc::get_mut(&mut service.0).expect("it is new");
            let durable = Arc::get_mut(&mut inner.durable).expect("it is new");
            durable.request_states = RequestStates::Handles(Handles::default());
        }
        let claims = Claims::new(Arc::new(way.clone()), rules.lease, service.0.durable.request_states.outcome_cipher());
        assert!(service.0.durable.claims.set(claims).is_ok(), "nobody has asked for it yet");
        Self { process, way, wall, client: service.memory(), service, kind }
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

    /// The connection is lost, with all that was asked over it, and opened again.
    pub(super) fn disconnect(&mut self) {
        self.client = self.service.memory();
    }

    /// All futures that wait for their client are gone.
    pub(super) fn forget(&self) {
        self.service.0.durable.parking.forget_futures();
    }

    /// The next response that is there, and the id of its request.
    pub(super) fn receive(&mut self) -> Option<(usize, Value)> {
        let message = pin!(self.client.receive()).poll(&mut Context::from_waker(Waker::noop()));
        let Poll::Ready(Some(message)) = message else { return None };
        let response: Value = serde_json::from_str(&message).unwrap();
        Some((response["id"].as_u64().unwrap().try_into().unwrap(), response))
    }

    /// Ends the process. Nothing of it reaches anything any more.
    pub(super) fn kill(&self) {
        self.way.kill();
    }
}
