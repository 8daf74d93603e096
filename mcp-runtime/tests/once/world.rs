//! One instance of a server, or two that take turns.

use std::sync::Arc;

use mcp_runtime::{
    Result, Server, Service,
    prelude::*,
    runs::MemoryRunStore,
    store::{Ledger, MemoryLedger, StoreParts},
    testing::Client,
};
use serde_json::{Value, json};

use crate::once::{
    tools::{Book, Sure, Trip, Watched, both, either, hurry, pay, plan, wander},
    wire::{Wire, seat, state},
};
use crate::support::stores::Store;

pub(crate) struct World {
    pub(crate) watched: Arc<Watched>,
    pub(crate) services: Vec<Service>,
    pub(crate) wires: Vec<Wire>,
    turn: usize,
    store: Option<Store>,
}

/// A request in flight, as the index of the instance and the id of the request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sent(usize, u64);

/// Asks, so that clients that need replayable calls accept the server.
#[mcp_tool(replayable)]
async fn knock(ctx: &Ctx<Trip>) -> Result<()> {
    ctx.elicit::<Sure>("Anybody there?").strict().await?;
    Ok(())
}

/// Returns all worlds in which a test must pass.
pub(crate) async fn worlds() -> Vec<World> {
    #[cfg_attr(not(feature = "seal"), expect(unused_mut))]
    let mut worlds = lone_worlds().await;
    #[cfg(feature = "seal")]
    worlds.extend(double_worlds().await);
    worlds
}

/// Returns a world with one instance for each kind of ledger.
pub(crate) async fn lone_worlds() -> Vec<World> {
    let mut worlds = Vec::new();
    for store in Store::all() {
        worlds.push(World::with_ledger(store.ledger().await).over(store));
    }
    worlds.push(World::with_store(shards()));
    worlds
}

/// Returns a world for each kind of ledger. It has two instances that share the keys and the ledger.
#[cfg(feature = "seal")]
pub(crate) async fn double_worlds() -> Vec<World> {
    let mut worlds = Vec::new();
    for store in Store::all() {
        worlds.push(World::two([store.ledger().await, store.ledger().await]).over(store));
    }
    let shards = shards();
    worlds.push(World::two_with_stores([shards.clone(), shards]));
    worlds
}

/// Creates two stores in memory, over which the calls are spread.
fn shards() -> Shards {
    Shards([MemoryLedger::new(), MemoryLedger::new()])
}

#[derive(Clone)]
struct Shards([MemoryLedger; 2]);

impl mcp_runtime::store::Store for Shards {
    fn into_parts(self) -> StoreParts {
        let [one, two] = self.0.map(|ledger| StoreParts::new(ledger, MemoryRunStore::new()));
        one.shard(two)
    }
}

pub(crate) fn server(watched: &Arc<Watched>, ledger: impl Ledger) -> Server {
    server_with(watched, (ledger, MemoryRunStore::new()))
}

pub(crate) fn server_with(watched: &Arc<Watched>, store: impl mcp_runtime::store::Store) -> Server {
    let server = Server::new("trips", "1").store(store).state(Arc::clone(watched));
    server.tools(tools![plan, wander, pay, hurry, both, either, knock])
}

impl World {
    pub(crate) fn one() -> Self {
        Self::with_ledger(MemoryLedger::new())
    }

    pub(crate) fn with_ledger(ledger: impl Ledger) -> Self {
        Self::with_store((ledger, MemoryRunStore::new()))
    }

    fn with_store(store: impl mcp_runtime::store::Store) -> Self {
        let watched = Watched::new();
        let service = server_with(&watched, store).tool(Book(Arc::clone(&watched))).build().unwrap();
        Self::of(watched, vec![service])
    }

    /// Creates a world of two instances that share the keys.
    #[cfg(feature = "seal")]
    pub(crate) fn two(ledgers: [Arc<dyn Ledger>; 2]) -> Self {
        Self::two_with_stores(ledgers.map(|ledger| (ledger, MemoryRunStore::new())))
    }

    #[cfg(feature = "seal")]
    fn two_with_stores(stores: [impl mcp_runtime::store::Store; 2]) -> Self {
        let watched = Watched::new();
        let services = stores.map(|store| {
            let server = server_with(&watched, store).tool(Book(Arc::clone(&watched)));
            server.state_keys(mcp_runtime::store::KeyRing::new([7; 32])).build().unwrap()
        });
        Self::of(watched, services.into())
    }

    pub(crate) fn of(watched: Arc<Watched>, services: Vec<Service>) -> Self {
        let wires = services.iter().map(Wire::new).collect();
        Self { watched, services, wires, turn: 0, store: None }
    }

    /// Keeps the store as long as the world.
    fn over(mut self, store: Store) -> Self {
        self.store = Some(store);
        self
    }

    /// Selects the instance for the next request.
    pub(crate) fn turn_to(&mut self, at: usize) {
        self.turn = at;
    }

    /// Calls a tool of the instance whose turn it is.
    pub(crate) async fn send(&mut self, tool: &str, more: &Value) -> Sent {
        let at = self.turn % self.wires.len();
        self.turn += 1;
        Sent(at, self.wires[at].send(tool, more).await)
    }

    pub(crate) async fn reply(&mut self, Sent(at, id): Sent) -> Value {
        self.wires[at].reply(id).await
    }

    pub(crate) async fn cancel(&mut self, Sent(at, id): Sent) {
        self.wires[at].cancel(id).await;
    }

    /// Closes the connection of a request, and opens a new connection.
    pub(crate) fn disconnect(&mut self, Sent(at, _): Sent) {
        self.wires[at] = Wire::new(&self.services[at]);
    }

    pub(crate) async fn call(&mut self, tool: &str, more: Value) -> Value {
        let sent = self.send(tool, &more).await;
        self.reply(sent).await
    }

    /// Returns the state of a call after its first question.
    pub(crate) async fn begin(&mut self, tool: &str) -> Value {
        state(&self.call(tool, json!({})).await)
    }

    /// Returns the state of a call after the answer about the seat.
    pub(crate) async fn begin_and_sit(&mut self, tool: &str) -> Value {
        let first = self.begin(tool).await;
        state(&self.answer(tool, &first, seat("12A")).await)
    }

    /// Sends a later round and returns the response.
    pub(crate) async fn answer(&mut self, tool: &str, state: &Value, responses: Value) -> Value {
        self.call(tool, later(state, &responses)).await
    }

    pub(crate) async fn send_answer(&mut self, tool: &str, state: &Value, responses: Value) -> Sent {
        self.send(tool, &later(state, &responses)).await
    }

    pub(crate) fn set_capabilities(&mut self, capabilities: &Value) {
        self.wires.iter_mut().for_each(|wire| wire.capabilities = capabilities.clone());
    }

    /// Makes every instance forget the futures of its calls.
    pub(crate) async fn forget(&self) {
        for service in &self.services {
            let mut client = Client::modern(service).rebuilding();
            assert!(!client.call("knock", ()).accept(Sure { sure: true }).await.is_error());
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if let Some(store) = self.store.as_ref().filter(|_| 0 < self.turn && std::thread::panicking()) {
            eprintln!("this happened to {} instances over {}", self.services.len(), store.name());
        }
    }
}

pub(crate) fn later(state: &Value, responses: &Value) -> Value {
    json!({ "requestState": state, "inputResponses": responses })
}
