//! The code of the page `deploying`.
#![allow(dead_code, reason = "the page includes it, and the tests use most of it")]

use std::{error::Error, time::Duration};

use mcp_runtime::{Result, prelude::*};

#[elicits]
pub(crate) enum Booking {
    Confirm { confirmed: bool },
}

pub(crate) struct Book;

/// Books a seat, if the user confirms it.
#[handoff]
impl Book {
    async fn before(&self, seat: String) -> String {
        seat
    }

    async fn client(ctx: &Ctx<Booking>, seat: &String) -> Result<bool> {
        Ok(ctx.elicit::<Confirm>(format!("Book {seat}?")).strict().await?.confirmed)
    }

    async fn after(&self, seat: String, confirmed: bool) -> String {
        if confirmed { format!("{seat} is booked.") } else { "Nothing is booked.".to_owned() }
    }
}

// ANCHOR: server
use mcp_runtime::{
    http::AllowedHosts,
    store::{self, KeyRing},
};

/// The server of each instance. All instances get the same store and the same keys.
async fn server(store: &str, keys: KeyRing) -> Result<Server, Box<dyn Error>> {
    Ok(Server::new("flights", env!("CARGO_PKG_VERSION"))
        .tool(Book)
        .store(store::open(store).await?)
        .state_keys(keys)
        // The name that clients use, which the load balancer passes on.
        .allowed_hosts(AllowedHosts::new(["mcp.example.com"]))
        // Then another instance takes over the round of one that is gone.
        .lease(Duration::from_secs(5)))
}
// ANCHOR_END: server

// ANCHOR: redis
use mcp_runtime::store::RedisStore;

async fn durable(url: &str) -> Result<RedisStore, Box<dyn Error>> {
    // Redis has `maxmemory-policy noeviction`, `appendonly yes` and `appendfsync always`.
    let store = RedisStore::builder(url).prefix("flights").durable().keep_replies(Duration::from_secs(60));
    Ok(store.connect().await?)
}
// ANCHOR_END: redis

// ANCHOR: serve
use axum::Router;
use tokio::net::TcpListener;

/// Serves until the signal. Then the load balancer has five seconds to notice, and running calls have ten to end.
async fn serve(
    service: mcp_runtime::Service,
    signal: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let app: Router = Router::new().merge(service.mount("/mcp")).merge(service.health_router());
    let listener = TcpListener::bind("0.0.0.0:8080").await?;
    let shutdown = async move {
        signal.await;
        service.retire();
        tokio::time::sleep(Duration::from_secs(5)).await;
        service.shutdown(Duration::from_secs(10)).await;
    };
    axum::serve(listener, app).with_graceful_shutdown(shutdown).await
}
// ANCHOR_END: serve

// ANCHOR: rotation
/// The keys of an instance in the three steps of a rotation.
fn rotation(old: [u8; 32], new: [u8; 32]) -> [KeyRing; 3] {
    [KeyRing::new(old).retired(new), KeyRing::new(new).retired(old), KeyRing::new(new)]
}
// ANCHOR_END: rotation

#[cfg(test)]
mod tests {
    use mcp_runtime::{
        Service,
        store::MemoryLedger,
        testing::{Client, Outcome},
    };
    use serde_json::json;

    use super::*;

    async fn booked(client: &mut Client) -> Outcome {
        client.call("book", json!({ "seat": "12A" })).accept(Confirm { confirmed: true }).await
    }

    fn instance(ledger: &MemoryLedger, keys: KeyRing) -> Service {
        Server::new("flights", "1.0.0").tool(Book).ledger(ledger.clone()).state_keys(keys).build().unwrap()
    }

    #[tokio::test]
    async fn the_server_is_built_with_the_store_of_its_address() {
        assert!(server("memory", KeyRing::random()).await.unwrap().build().is_ok());
        let error = server("mongodb://db", KeyRing::random()).await.err().unwrap();
        assert!(error.to_string().contains("unknown scheme"), "{error}");
    }

    #[tokio::test]
    async fn each_step_of_a_rotation_opens_the_states_of_the_step_before() {
        let ledger = MemoryLedger::new();
        let steps = rotation([1; 32], [2; 32]);
        let all: Vec<_> = std::iter::once(KeyRing::new([1; 32])).chain(steps).collect();
        for pair in all.windows(2) {
            for (one, other) in [(&pair[0], &pair[1]), (&pair[1], &pair[0])] {
                let (one, other) = (instance(&ledger, one.clone()), instance(&ledger, other.clone()));
                assert_eq!(booked(&mut Client::modern(&one).taking_turns_with(&other)).await.text(), "12A is booked.");
            }
        }
    }

    #[tokio::test]
    async fn a_step_that_is_left_out_ends_open_calls_with_an_error() {
        let ledger = MemoryLedger::new();
        let (old, new) = (instance(&ledger, KeyRing::new([1; 32])), instance(&ledger, KeyRing::new([2; 32])));
        let lost = booked(&mut Client::modern(&old).taking_turns_with(&new)).await;
        assert_eq!(lost.error().unwrap().code, -32602);
    }
}
