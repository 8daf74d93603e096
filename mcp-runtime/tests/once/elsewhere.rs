//! Calls that move to another instance, or cannot.

use std::{sync::Arc, time::Duration};

use mcp_runtime::{
    Service,
    prelude::*,
    store::{KeyRing, Ledger, Once},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::once::{
    tools::{Book, Trip, Watched},
    wire::{asked, error, seat, state, sure, text},
    world::{World, double_worlds, server},
};
use crate::support::stores::Store;

const BOOKED: &str = "12A to Lisbon for 100";

fn keys(key: u8) -> KeyRing {
    KeyRing::new([key; 32])
}

fn service(watched: &Arc<Watched>, ledger: Arc<dyn Ledger>, keys: KeyRing) -> Service {
    server(watched, ledger).tool(Book(Arc::clone(watched))).state_keys(keys).build().unwrap()
}

/// Creates two instances, each with a ledger and keys.
async fn two(stores: [&Store; 2], keys: [KeyRing; 2]) -> World {
    let watched = Watched::new();
    let mut services = Vec::new();
    for (store, keys) in stores.into_iter().zip(keys) {
        services.push(service(&watched, store.ledger().await, keys));
    }
    World::of(watched, services)
}

/// Returns the responses of a call whose rounds go to these instances.
async fn travels(world: &mut World, tool: &str, way: [usize; 3]) -> [Value; 3] {
    let mut replies = [(); 3].map(|()| Value::Null);
    let mut more = json!({});
    for ((reply, at), answer) in replies.iter_mut().zip(way).zip([seat("12A"), sure(true), json!({})]) {
        let id = world.wires[at].send(tool, &more).await;
        *reply = world.wires[at].reply(id).await;
        more = json!({ "requestState": reply["result"]["requestState"], "inputResponses": answer });
    }
    replies
}

#[tokio::test]
async fn any_instance_can_resume_a_call() {
    for way in 0..8 {
        let way = [way & 1, way >> 1 & 1, way >> 2 & 1];
        for mut world in double_worlds().await {
            let [first, second, done] = travels(&mut world, "book", way).await;
            let question =
                |reply: &Value, key: &str| reply["result"]["inputRequests"][key]["params"]["message"].clone();
            assert_eq!(question(&first, "seat"), "Which seat to Lisbon?", "{way:?}");
            assert_eq!(question(&second, "sure"), "Seat 12A to Lisbon?", "{way:?}");
            assert_eq!((text(&done), world.watched.runs()), (BOOKED, (1, 1)), "{way:?}");

            let [.., done] = travels(&mut world, "plan", way).await;
            assert_eq!(text(&done), "12A planned", "{way:?}");
        }
    }
}

#[tokio::test]
async fn discards_a_stale_future_of_another_instance() {
    for mut world in double_worlds().await {
        // The first instance keeps its future and gets the third round.
        let [.., done] = travels(&mut world, "book", [0, 1, 0]).await;
        assert_eq!(text(&done), BOOKED);
        assert_eq!((world.watched.runs(), world.watched.client.get()), ((1, 1), 3));
    }
}

#[tokio::test]
async fn a_call_survives_the_loss_of_its_instance() {
    for mut world in double_worlds().await {
        let mut first = world.wires.remove(0);
        drop(world.services.remove(0));
        let id = first.send("book", &json!({})).await;
        let response = first.reply(id).await;
        drop(first);
        let second = world.answer("book", &state(&response), seat("12A")).await;
        assert_eq!(text(&world.answer("book", &state(&second), sure(true)).await), BOOKED);
        assert_eq!(world.watched.runs(), (1, 1));
    }
}

#[tokio::test]
async fn a_call_bound_to_its_process_is_rejected_elsewhere() {
    for mut world in double_worlds().await {
        let first = world.begin("wander").await;
        let refused = world.answer("wander", &first, seat("12A")).await;
        let (code, message) = error(&refused);
        assert!(code == -32602 && message.contains("send the request again without it"), "{refused}");
        let second = world.answer("wander", &first, seat("12A")).await;
        assert_eq!(asked(&second), ["sure"]);
        assert_eq!(world.watched.client.get(), 1);
    }
}

#[tokio::test]
async fn rejects_the_state_of_another_ledger() {
    for (here, there) in Store::all().iter().zip(&Store::all()) {
        let mut world = two([here, there], [keys(7), keys(7)]).await;
        let first = world.begin("book").await;
        let refused = world.answer("book", &first, seat("12A")).await;
        let (code, message) = error(&refused);
        assert!(code == -32602 && message.contains("ledger"), "{refused}");
        let second = world.answer("book", &first, seat("12A")).await;
        let refused = world.answer("book", &state(&second), sure(true)).await;
        assert!(error(&refused).1.contains("ledger"), "{refused}");
        assert_eq!(text(&world.answer("book", &state(&second), sure(true)).await), BOOKED);
        assert_eq!(world.watched.runs(), (1, 1));
    }
}

#[tokio::test]
async fn rejects_a_state_sealed_with_other_keys() {
    for store in Store::all() {
        let mut world = two([&store, &store], [keys(7), keys(8)]).await;
        let first = world.begin("book").await;
        let refused = world.answer("book", &first, seat("12A")).await;
        let words = "`requestState` does not belong to this request; send the request again without it";
        assert_eq!(error(&refused), (-32602, words));
        let second = world.answer("book", &first, seat("12A")).await;
        assert_eq!(asked(&second), ["sure"]);
        assert_eq!(world.watched.runs(), (1, 0));
    }
}

#[tokio::test]
async fn accepts_a_state_sealed_with_a_retired_key() {
    for store in Store::all() {
        let mut world = two([&store, &store], [keys(7), keys(8).retired([7; 32])]).await;
        let first = world.begin("book").await;
        assert_eq!(asked(&world.answer("book", &first, seat("12A")).await), ["sure"]);
    }
}

/// The handoff type of a later version of the tool.
#[derive(Serialize, Deserialize)]
struct Fare {
    cents: u64,
}

struct NextBook(Arc<Watched>);

/// Books a seat.
#[handoff(name = "book")]
impl NextBook {
    async fn before(&self, to: Option<String>) -> Fare {
        Fare { cents: to.map_or(100, |_| 200) }
    }

    async fn client(ctx: &Ctx<Trip>, fare: &Fare) -> mcp_runtime::Result<bool> {
        Ok(ctx.elicit::<crate::once::tools::Sure>(format!("{} cents?", fare.cents)).strict().await?.sure)
    }

    async fn after(&self, fare: Fare, sure: bool) -> String {
        format!("{} {sure} {}", fare.cents, self.0.number)
    }
}

#[tokio::test]
async fn rejects_another_type_of_handoff_without_claiming_the_round() {
    for store in Store::all() {
        let watched = Watched::new();
        let old = service(&watched, store.ledger().await, keys(7));
        let new = server(&watched, store.ledger().await).tool(NextBook(Arc::clone(&watched)));
        let new = new.state_keys(keys(7)).build().unwrap();
        let mut world = World::of(watched, vec![old, new]);
        let first = world.begin("book").await;
        let refused = world.answer("book", &first, seat("12A")).await;
        let (code, message) = error(&refused);
        assert!(code == -32602 && message.contains("send the request again without `requestState`"), "{refused}");
        // The version that knows the type continues.
        let second = world.answer("book", &first, seat("12A")).await;
        assert_eq!(asked(&second), ["sure"]);
        let refused = world.answer("book", &state(&second), sure(true)).await;
        let (_, message) = error(&refused);
        assert!(message.contains("send the request again without `requestState`"), "{message}");
        assert_eq!(text(&world.answer("book", &state(&second), sure(true)).await), BOOKED);
        assert_eq!(world.watched.runs(), (1, 1));
    }
}

/// A slow round keeps its lease, because its instance is alive.
#[tokio::test]
async fn does_not_take_over_a_slow_round() {
    const LEASE: Duration = Duration::from_secs(5);
    let mut waiting = tokio::task::JoinSet::new();
    for store in Store::all() {
        let watched = Watched::new();
        let mut services = Vec::new();
        for _ in 0..2 {
            let server = server(&watched, store.ledger().await).tool(Book(Arc::clone(&watched)));
            services.push(server.state_keys(keys(7)).lease(LEASE).build().unwrap());
        }
        waiting.spawn(async move {
            let mut world = World::of(Arc::clone(&watched), services);
            let first = world.begin("book").await;
            watched.talk.close();
            let one = world.send_answer("book", &first, seat("12A")).await;
            watched.talk.reached(1).await;
            let other = world.send_answer("book", &first, seat("1F")).await;
            tokio::time::sleep(LEASE * 2).await;
            assert_eq!(watched.talk.came(), 1);
            watched.talk.open();
            let second = world.reply(one).await;
            assert_eq!(world.reply(other).await, second);

            watched.effect.close();
            let one = world.send_answer("book", &state(&second), sure(true)).await;
            watched.effect.reached(1).await;
            let other = world.send_answer("book", &state(&second), sure(true)).await;
            tokio::time::sleep(LEASE * 2).await;
            watched.effect.open();
            assert_eq!((text(&world.reply(one).await), text(&world.reply(other).await)), (BOOKED, BOOKED));
            assert_eq!(watched.runs(), (1, 1));
            drop(store);
        });
    }
    waiting.join_all().await;
}

/// Returns how the states of the first two rounds begin.
fn kinds(replies: &[Value; 3]) -> [String; 2] {
    [0, 1].map(|round| replies[round]["result"]["requestState"].as_str().unwrap()[..3].to_owned())
}

#[tokio::test]
async fn only_the_first_state_contains_the_journal_if_the_call_has_a_record() {
    for mut world in double_worlds().await {
        for tool in ["book", "plan"] {
            let replies = travels(&mut world, tool, [0, 1, 0]).await;
            assert_eq!(kinds(&replies), ["v1.", "t1."], "{tool}");
        }
        let replies = travels(&mut world, "wander", [0; 3]).await;
        assert_eq!(kinds(&replies), ["t1."; 2], "it cannot be rebuilt from a journal");
    }
}

#[tokio::test]
async fn each_state_contains_the_journal_if_the_call_can_continue_with_another_ledger() {
    let watched = Watched::new();
    let stores = [Store::memory(), Store::memory()];
    let mut services = Vec::new();
    for store in &stores {
        let server = server(&watched, store.ledger().await).tool(Book(Arc::clone(&watched)));
        services.push(server.state_keys(keys(7)).once(Once::PerInstance).build().unwrap());
    }
    let mut world = World::of(watched, services);
    let replies = travels(&mut world, "book", [0, 1, 0]).await;
    assert_eq!((text(&replies[2]), kinds(&replies)), (BOOKED, ["v1.", "v1."].map(String::from)));
}
