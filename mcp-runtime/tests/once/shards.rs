//! Instances whose calls are spread over several stores.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use mcp_runtime::{
    runs::MemoryRunStore,
    store::{KeyRing, PostgresStore, RedisStore, Store, StoreParts, open},
};
use serde_json::{Value, json};

use crate::{
    once::{
        tools::{Book, Watched},
        wire::{error, is_refused_for_now, seat, state, sure, text},
        world::{World, server_with},
    },
    support::{postgres_server::PostgresServer, redis_server::RedisServer, shared_ledger::SharedLedger},
};

fn store(ledger: &SharedLedger) -> StoreParts {
    StoreParts::new(ledger.clone(), MemoryRunStore::new())
}

/// Creates a world with one instance for each store. All have the same keys.
fn world<S: Store>(stores: impl IntoIterator<Item = S>) -> World {
    let watched = Watched::new();
    let services = stores.into_iter().map(|store| {
        let server = server_with(&watched, store).tool(Book(Arc::clone(&watched)));
        server.state_keys(KeyRing::new([7; 32])).build().unwrap()
    });
    World::of(Arc::clone(&watched), services.collect())
}

/// Begins calls at the first instance, and returns their states.
async fn begin(world: &mut World, calls: usize) -> Vec<Value> {
    let mut states = Vec::new();
    for _ in 0..calls {
        world.turn_to(0);
        states.push(world.begin("book").await);
    }
    states
}

/// Answers both questions of a call, and returns the response.
async fn finish(world: &mut World, first: &Value) -> Value {
    let second = world.answer("book", first, seat("12A")).await;
    if second["result"]["resultType"] != "input_required" {
        return second;
    }
    world.answer("book", &state(&second), sure(true)).await
}

fn is_done(response: &Value) -> bool {
    response["result"]["content"][0]["text"].as_str().is_some_and(|text| text.starts_with("12A to Lisbon"))
}

#[tokio::test]
async fn instances_find_calls_whatever_the_order_of_their_stores() {
    let [one, two, three] = [SharedLedger::default(), SharedLedger::default(), SharedLedger::default()];
    let mut world = world([
        store(&one).shard(store(&two)).shard(store(&three)),
        store(&one).shard(store(&three)).shard(store(&two)),
        store(&three).shard(store(&two)).shard(store(&one)),
    ]);
    for first in begin(&mut world, 60).await {
        // The other two instances answer.
        world.turn_to(1);
        let response = finish(&mut world, &first).await;
        assert!(is_done(&response), "{response}");
    }
    assert_eq!(world.watched.runs(), (60, 60));
    let begun = [&one, &two, &three].map(SharedLedger::begun);
    assert!(begun.iter().sum::<usize>() == 60 && begun.iter().all(|begun| 5 < *begun), "{begun:?}");
}

#[tokio::test]
async fn a_draining_store_ends_its_calls_and_gets_no_new_ones() {
    let [one, two] = [SharedLedger::default(), SharedLedger::default()];
    let mut world = world([store(&one).shard(store(&two)), store(&one).draining_shard(store(&two))]);
    let states = begin(&mut world, 40).await;
    for first in &states {
        world.turn_to(1);
        let second = world.answer("book", first, seat("12A")).await;
        world.turn_to(1);
        assert!(is_done(&world.answer("book", &state(&second), sure(true)).await));
    }
    assert_eq!(world.watched.runs(), (40, 40));
    let begun = two.begun();
    assert!(5 < begun && begun < 35, "{begun}");
    for _ in 0..20 {
        world.turn_to(1);
        let first = world.begin("book").await;
        assert!(is_done(&finish(&mut world, &first).await));
    }
    assert_eq!((one.begun() + two.begun(), two.begun()), (60, begun));
}

#[tokio::test]
async fn a_store_that_was_removed_is_another_ledger() {
    let [one, two] = [SharedLedger::default(), SharedLedger::default()];
    let mut world = world([store(&one).shard(store(&two)), store(&one)]);
    let mut lost = 0;
    for first in begin(&mut world, 40).await {
        world.turn_to(1);
        let response = world.answer("book", &first, seat("12A")).await;
        if response["error"].is_object() {
            let (code, message) = error(&response);
            assert!(code == -32602 && message.contains("ledger"), "{response}");
            lost += 1;
        }
    }
    assert!(5 < lost && lost < 35, "{lost}");
    assert_eq!(one.begun() + lost, 40);
}

#[tokio::test]
async fn a_call_with_an_idempotency_key_is_in_the_first_store() {
    let stores = [SharedLedger::default(), SharedLedger::default(), SharedLedger::default()];
    let [one, two, three] = &stores;
    let mut world = world([store(one).shard(store(two)), store(one).shard(store(three)).shard(store(two))]);
    for number in 0..20 {
        let keyed = json!({ "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
            "idempotency-key": format!("key {number}"),
        } });
        let first = world.call("book", keyed.clone()).await;
        assert_eq!(world.call("book", keyed).await, first, "the other instance repeats the reply");
        assert!(is_done(&finish(&mut world, &state(&first)).await));
    }
    assert_eq!(world.watched.runs(), (20, 20));
    assert_eq!(stores.each_ref().map(SharedLedger::begun), [20, 0, 0]);
}

#[tokio::test]
async fn a_stopped_store_ends_its_own_calls_and_no_others() {
    let settings = ["--save", ""];
    let (Some(one), Some(two)) = (RedisServer::start(&settings), RedisServer::start(&settings)) else { return };
    let urls = format!("{} {}", one.url(), two.url());
    let mut world = world([open(&urls).await.unwrap()]);
    let states = begin(&mut world, 30).await;
    two.kill();
    let mut refused = Vec::new();
    for first in &states {
        let response = world.answer("book", first, seat("12A")).await;
        if response["error"].is_object() {
            is_refused_for_now(&response);
            refused.push(first);
        } else {
            assert!(is_done(&world.answer("book", &state(&response), sure(true)).await));
        }
    }
    assert!(3 < refused.len() && refused.len() < 27, "{}", refused.len());
    for first in begin(&mut world, 20).await {
        assert!(is_done(&finish(&mut world, &first).await), "new calls begin in the other store");
    }
    let runs = world.watched.after.get();
    assert_eq!(runs, 50 - refused.len());
    // It has kept nothing, so its calls are over.
    two.start_again();
    for first in refused {
        let response = world.answer("book", first, seat("12A")).await;
        let (code, message) = error(&response);
        assert!(code == -32602 && message.contains("ledger"), "{response}");
    }
    assert_eq!(world.watched.after.get(), runs);
}

#[tokio::test]
async fn an_instance_starts_without_a_store_that_does_not_answer() {
    let settings = ["--save", ""];
    let (Some(one), Some(two)) = (RedisServer::start(&settings), RedisServer::start(&settings)) else { return };
    let urls = format!("{} {}", one.url(), two.url());
    let mut old = world([open(&urls).await.unwrap()]);
    let states = begin(&mut old, 20).await;
    two.stall();
    let mut new = world([open(&urls).await.unwrap()]);
    for first in begin(&mut new, 10).await {
        assert!(is_done(&finish(&mut new, &first).await));
    }
    let mut waiting = Vec::new();
    for first in &states {
        let response = finish(&mut new, first).await;
        if !is_done(&response) {
            is_refused_for_now(&response);
            waiting.push(first);
        }
    }
    assert!(2 < waiting.len() && waiting.len() < 18, "{}", waiting.len());
    two.wake();
    let patience = Instant::now() + Duration::from_secs(30);
    while let Some(first) = waiting.last() {
        let response = finish(&mut new, first).await;
        if is_done(&response) {
            waiting.pop();
        } else {
            assert!(Instant::now() < patience, "{response}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

#[tokio::test]
async fn stores_of_different_kinds_share_the_calls() {
    let Some(one) = RedisServer::start(&["--save", ""]) else { return };
    let Some(two) = PostgresServer::shared() else { return };
    let url = two.schema();
    let connect = async || open(&one.url()).await.unwrap().shard(PostgresStore::connect(&url).await.unwrap());
    let mut world = world([connect().await, connect().await]);
    // The chance that all of them are in one store is 1 in 2^39.
    for first in begin(&mut world, 40).await {
        let response = finish(&mut world, &first).await;
        assert!(is_done(&response), "{response}");
    }
    let commands = one.calls();
    // The reply of each call is kept in the store of the call.
    let calls = one.keys().iter().filter(|key| key.ends_with(":reply")).count() as u64;
    assert!(0 < calls && calls < 40, "{calls}");
    // Each call takes seven commands, and the start of both instances takes five.
    assert_eq!(commands["fcall"], 7 * calls + 5, "{commands:?}");
}

#[tokio::test]
async fn calls_of_a_durable_store_continue_when_it_is_back() {
    let (Some(one), Some(two)) = (RedisServer::durable(), RedisServer::durable()) else { return };
    let connect =
        async |server: &RedisServer| RedisStore::builder(&server.url()).durable().connect().await.unwrap().into_parts();
    let mut world = world([connect(&one).await.shard(connect(&two).await)]);
    let states = begin(&mut world, 20).await;
    two.kill();
    let mut waiting = Vec::new();
    for first in &states {
        let response = world.answer("book", first, seat("12A")).await;
        if response["error"].is_object() {
            waiting.push(first);
        }
    }
    two.start_again();
    assert!(!waiting.is_empty());
    for first in waiting {
        let response = finish(&mut world, first).await;
        assert_eq!(text(&response).split(" for ").next(), Some("12A to Lisbon"), "{response}");
    }
}
