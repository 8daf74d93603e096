//! Calls that have ended, and invalid states.

use std::time::Duration;

use mcp_runtime::{Revision, testing::Client};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::once::{
    tools::Seat,
    wire::{Wire, asked, error, seat, state, sure, text},
    world::{World, lone_worlds, worlds},
};

const BOOKED: &str = "12A to Lisbon for 100";

#[tokio::test]
async fn a_late_answer_has_no_effect() {
    let mut worlds = worlds().await;
    let mut open = Vec::new();
    for world in &mut worlds {
        let first = world.begin("hurry").await;
        let second = sit_in_a_hurry(world).await;
        open.push((first, second, world.watched.client.get()));
    }
    sleep(Duration::from_millis(1100)).await;
    for (world, (first, second, runs)) in worlds.iter_mut().zip(open) {
        for (state, answer) in [(&first, seat("12A")), (&second, sure(true))] {
            let late = world.answer("hurry", state, answer).await;
            let (code, message) = error(&late);
            assert!(code == -32602 && message.contains("send the request again without it"), "{late}");
        }
        assert_eq!(world.watched.client.get(), runs);
    }
}

/// Answers the first question. A busy machine can need longer than its state is valid.
async fn sit_in_a_hurry(world: &mut World) -> Value {
    for _ in 0..20 {
        let first = world.begin("hurry").await;
        let response = world.answer("hurry", &first, seat("12A")).await;
        if response.get("error").is_none() {
            return state(&response);
        }
    }
    panic!("no answer comes within a second");
}

/// The ledger may have deleted the record of the round by then.
#[tokio::test(start_paused = true)]
async fn an_unanswered_state_is_replaced_by_one_with_the_same_lifetime() {
    let mut world = World::one();
    for (wait, is_good) in [(390, true), (410, false)] {
        let first = world.begin("hurry").await;
        sleep(Duration::from_millis(600)).await;
        let again = state(&world.answer("hurry", &first, json!({})).await);
        assert_ne!(again, first);
        sleep(Duration::from_millis(wait)).await;
        let response = world.answer("hurry", &again, seat("12A")).await;
        assert_eq!(response.get("error").is_none(), is_good, "{response}");
    }
}

#[tokio::test]
async fn rejects_a_modified_state() {
    for mut world in worlds().await {
        let first = world.begin("book").await;
        let good = first.as_str().unwrap().to_owned();
        let mut bad: Vec<String> = vec![good[..good.len() - 1].to_owned(), format!("{good}A"), good.to_uppercase()];
        for at in (0..good.len()).step_by(37) {
            let other = if good.as_bytes()[at] == b'A' { "B" } else { "A" };
            bad.push([&good[..at], other, &good[at + 1..]].concat());
        }
        for bad in bad {
            let words = "`requestState` does not belong to this request; send the request again without it";
            assert_eq!(error(&world.answer("book", &json!(bad), seat("12A")).await), (-32602, words), "{bad}");
        }
        assert_eq!(world.watched.client.get(), 1);
        assert_eq!(asked(&world.answer("book", &first, seat("12A")).await), ["sure"]);
    }
}

/// Returns a first request with an idempotency key.
fn keyed(key: &str) -> Value {
    json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        "idempotency-key": key,
    }})
}

#[tokio::test]
async fn a_retried_first_request_with_a_key_is_one_call() {
    for mut world in worlds().await {
        let first = world.call("book", keyed("k")).await;
        let mut sent = Vec::new();
        for _ in 0..8 {
            sent.push(world.send("book", &keyed("k")).await);
        }
        for sent in sent {
            assert_eq!(world.reply(sent).await, first);
        }
        let second = world.answer("book", &state(&first), seat("12A")).await;
        let done = world.answer("book", &state(&second), sure(true)).await;
        assert_eq!(text(&done), BOOKED);
        assert_eq!(world.call("book", keyed("k")).await, done);
        assert_eq!(world.watched.runs(), (1, 1));
        world.call("book", keyed("l")).await;
        assert_eq!(world.watched.runs(), (2, 1));
    }
}

#[tokio::test]
async fn a_disconnected_session_leaves_no_effect() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
        for world in lone_worlds().await {
            let watched = world.watched.clone();
            watched.talk.close();
            let mut client = Client::new(&world.services[0], revision);
            {
                let call = client.call("book", ()).accept(Seat { seat: "12A".to_owned() });
                let mut call = std::pin::pin!(call.into_future());
                tokio::select! {
                    _ = &mut call => panic!("nobody let it go on"),
                    () = watched.talk.reached(1) => {}
                }
            }
            drop(client);
            watched.talk.open();
            sleep(Duration::from_millis(20)).await;
            assert_eq!(watched.runs(), (1, 0));
            // Another client cannot resume it.
            let mut wire = Wire::new(&world.services[0]);
            let id = wire.send("book", &json!({})).await;
            assert_eq!(asked(&wire.reply(id).await), ["seat"]);
        }
    }
}
