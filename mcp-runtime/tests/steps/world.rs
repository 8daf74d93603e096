//! One instance of a server, or two that take turns.

use std::sync::Arc;

use mcp_runtime::{
    Server, Service,
    prelude::*,
    store::{Ledger, MemoryLedger},
    testing::Client,
};
use serde_json::{Value, json};

use crate::steps::{
    effects::Deeds,
    recorded_values::{branches, draws, keys},
    step_results::{at_once, fail, nested, often, order, retry},
    wire::Wire,
};
use crate::support::shared_ledger::SharedLedger;

#[elicits]
pub(crate) enum Trip {
    Seat { seat: String },
    Sure { sure: bool },
}

pub(crate) struct World {
    pub(crate) deeds: Arc<Deeds>,
    pub(crate) services: Vec<Service>,
    pub(crate) wires: Vec<Wire>,
    turn: usize,
}

/// Asks, so that clients that need replayable calls accept the server.
#[mcp_tool(replayable)]
async fn knock(ctx: &Ctx<Trip>) -> mcp_runtime::Result<()> {
    ctx.elicit::<Sure>("Anybody there?").strict().await?;
    Ok(())
}

pub(crate) fn server(deeds: &Arc<Deeds>, ledger: impl Ledger) -> Server {
    let tools = tools![order, fail, at_once, nested, often, retry, draws, branches, keys, knock];
    let server = Server::new("trips", "1").ledger(ledger).state(Arc::clone(deeds)).tools(tools);
    server.state_keys(mcp_runtime::store::KeyRing::new([7; 32]))
}

impl World {
    pub(crate) fn one() -> Self {
        Self::with_ledger(MemoryLedger::new())
    }

    pub(crate) fn with_ledger(ledger: impl Ledger) -> Self {
        let deeds = Deeds::new();
        let service = server(&deeds, ledger).build().unwrap();
        Self::of(deeds, vec![service])
    }

    /// Returns a world with one instance, and a world with two instances that share a ledger and the keys.
    pub(crate) fn all() -> Vec<Self> {
        let mut all = vec![Self::one()];
        if cfg!(feature = "seal") {
            let (deeds, ledger) = (Deeds::new(), SharedLedger::default());
            let services = [(); 2].map(|()| server(&deeds, ledger.clone()).build().unwrap());
            all.push(Self::of(deeds, services.into()));
        }
        all
    }

    pub(crate) fn of(deeds: Arc<Deeds>, services: Vec<Service>) -> Self {
        let wires = services.iter().map(Wire::new).collect();
        Self { deeds, services, wires, turn: 0 }
    }

    /// Calls a tool at the current instance. Returns the instance and the id of the request.
    pub(crate) async fn send(&mut self, tool: &str, more: &Value) -> (usize, u64) {
        let at = self.turn % self.wires.len();
        self.turn += 1;
        (at, self.wires[at].send(tool, more).await)
    }

    pub(crate) async fn reply(&mut self, (at, id): (usize, u64)) -> Value {
        self.wires[at].reply(id).await
    }

    pub(crate) async fn cancel(&mut self, (at, id): (usize, u64)) {
        self.wires[at].cancel(id).await;
    }

    pub(crate) async fn call(&mut self, tool: &str, more: Value) -> Value {
        let sent = self.send(tool, &more).await;
        self.reply(sent).await
    }

    /// Returns the response to a later round.
    pub(crate) async fn answer(&mut self, tool: &str, state: &Value, responses: Value) -> Value {
        self.call(tool, later(state, &responses)).await
    }

    /// Makes every instance forget the futures of its calls.
    pub(crate) async fn forget(&self) {
        for service in &self.services {
            let mut client = Client::modern(service).rebuilding();
            assert!(!client.call("knock", ()).accept(Sure { sure: true }).await.is_error());
        }
    }
}

pub(crate) fn later(state: &Value, responses: &Value) -> Value {
    json!({ "requestState": state, "inputResponses": responses })
}
