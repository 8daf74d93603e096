//! Calls whose Redis is restored from a snapshot, or fills up.

use std::sync::Arc;

use mcp_runtime::store::RedisStore;
use serde_json::{Value, json};

use super::{RedisServer, a_second_passes};
use crate::{
    once::{
        wire::{asked, error, is_refused_for_now, seat, sure, text},
        world::World,
    },
    support::stores::Store,
};

const BOOKED: &str = "12A to Lisbon for 100";

/// Creates two instances that share a separate Redis server.
async fn world(server: RedisServer) -> (World, Arc<RedisServer>) {
    let server = Arc::new(server);
    let store = Store::redis(Arc::clone(&server));
    (World::two([store.ledger().await, store.ledger().await]), server)
}

#[track_caller]
fn is_of_another_ledger(response: &Value) {
    let (code, message) = error(response);
    assert!(code == -32602 && message.contains("ledger"), "{response}");
}

#[tokio::test]
async fn a_redis_restored_from_an_old_snapshot_repeats_no_effect() {
    let Some(server) = RedisServer::start(&["--save", ""]) else { return };
    let connect = async || Arc::new(RedisStore::connect(&server.url()).await.unwrap());
    let mut world = World::two([connect().await, connect().await]);
    let first = world.begin("book").await;
    let second = world.begin_and_sit("book").await;
    // It is restored from this snapshot.
    assert_eq!(server.command("SAVE"), "+OK");
    assert_eq!(text(&world.answer("book", &second, sure(true)).await), "12A to Lisbon for 200");
    server.kill();
    server.start_again();
    for (state, answer) in [(&second, sure(true)), (&first, seat("12A")), (&second, sure(true))] {
        is_of_another_ledger(&world.answer("book", state, answer).await);
    }
    assert_eq!(world.watched.runs(), (2, 1));
}

#[tokio::test]
async fn a_full_redis_rejects_new_calls_and_finishes_open_ones() {
    let Some(server) = RedisServer::start(&["--save", ""]) else { return };
    let (mut world, server) = world(server).await;
    let second = world.begin_and_sit("book").await;
    let first = world.begin("book").await;
    a_second_passes(&server);
    // More than nine tenths of it are taken, and not all.
    let most = server.info("used_memory") * 21 / 20;
    assert_eq!(server.command(&format!("CONFIG SET maxmemory {most}")), "+OK");
    is_refused_for_now(&world.answer("book", &first, seat("12A")).await);
    assert_eq!(text(&world.answer("book", &second, sure(true)).await), BOOKED);

    assert_eq!(server.command("CONFIG SET maxmemory 0"), "+OK");
    assert_eq!(asked(&world.answer("book", &first, seat("12A")).await), ["sure"]);
    assert_eq!(world.call("book", json!({})).await["result"]["resultType"], "input_required");
}
