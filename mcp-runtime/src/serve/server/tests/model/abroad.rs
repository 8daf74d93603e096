//! Another server, whose tools a call of the model test calls. It is not killed, and has a ledger of its own.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::json;

use super::{
    Rules,
    ledger::GatedLedger,
    points::{OTHER_SERVER, Points},
    store::{Clock, SharedStore, Wall},
    tools::{Effects, Process, ToolKind},
};
use crate::{CallToolResult, Result, Server, Service, prelude::*, remote::Remote};

/// Longer than any history.
const LONG: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The server that has the tools which book a seat and pay for it.
pub(super) fn other_server(minds_keys: bool, rules: Rules, points: &Points, effects: &Arc<Mutex<Effects>>) -> Service {
    let (store, clock) = (Arc::new(Mutex::new(SharedStore::new())), Clock::new(rules, Wall::new()));
    let ledger = GatedLedger::new(OTHER_SERVER, points.clone(), store, clock, false);
    let server = Server::new("trips", "1");
    // A server minds keys if its ledger outlives its process.
    let server = if minds_keys { server.ledger(ledger.clone()) } else { server };
    #[cfg(feature = "seal")]
    let server = server.state_keys(crate::engine::durable::seal::KeyRing::new([9; 32]));
    let process = Process { ledger, effects: Arc::clone(effects) };
    ToolKind::Travel.register(server, &process).build().unwrap()
}

/// Adds the tool that calls the tools of the other server.
pub(super) fn register(server: Server, other: &Service) -> Server {
    let trips = Remote::service(other).timeout(LONG);
    server.state(OtherServer { trips, minds_keys: other.0.minds_keys() }).tools(tools![abroad])
}

/// The other server, as a process calls it.
#[derive(Clone)]
struct OtherServer {
    trips: Remote,
    minds_keys: bool,
}

/// Books a seat and pays for it, with tools of another server.
#[mcp_tool(replayable)]
async fn abroad(ctx: &Ctx, process: &Process, other: &OtherServer) -> Result<String> {
    let OtherServer { trips, minds_keys } = other;
    let booked = text_of(&trips.call("book", json!({})).within(ctx).await?)?;
    // With other arguments, a second request with the same key is a new call. A server that does not declare that it
    // minds keys is allowed to take every second request as one.
    let attempt = if *minds_keys { 0 } else { process.next_attempt() };
    let charged = trips.call("charge", json!({ "price": booked.len(), "attempt": attempt })).within(ctx).await?;
    Ok(format!("{booked}, {}", text_of(&charged)?))
}

fn text_of(result: &CallToolResult) -> Result<String> {
    let text = result.content()[0].as_text().unwrap_or_default().to_owned();
    if result.is_error() { Err(text.into()) } else { Ok(text) }
}
