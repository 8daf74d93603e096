//! Calls whose future is gone when their client returns.

use std::time::Duration;

use mcp_runtime::testing::{Client, Outcome, Reply};
use serde_json::json;

use crate::once::{
    tools::{Seat, Sure},
    wire::{asked, error, seat, state, sure, text},
    world::{World, lone_worlds, worlds},
};

const BOOKED: &str = "12A to Lisbon for 100";

fn twelve_a() -> Seat {
    Seat { seat: "12A".to_owned() }
}

#[tokio::test]
async fn a_forgotten_call_is_replayed() {
    for mut world in worlds().await {
        let first = world.begin("book").await;
        world.forget().await;
        let second = world.answer("book", &first, seat("12A")).await;
        assert_eq!(asked(&second), ["sure"]);
        world.forget().await;
        assert_eq!(text(&world.answer("book", &state(&second), sure(true)).await), BOOKED);
        assert_eq!((world.watched.runs(), world.watched.client.get()), ((1, 1), 3));
    }
}

#[tokio::test]
async fn a_retry_after_a_replay_gets_the_recorded_reply() {
    for mut world in worlds().await {
        let first = world.begin("book").await;
        let second = world.answer("book", &first, seat("12A")).await;
        world.forget().await;
        assert_eq!(world.answer("book", &first, seat("1F")).await, second);
        let done = world.answer("book", &state(&second), sure(true)).await;
        world.forget().await;
        for spent in [&first, &state(&second)] {
            assert_eq!(world.answer("book", spent, seat("1F")).await, done);
        }
        assert_eq!((text(&done), world.watched.runs()), (BOOKED, (1, 1)));
    }
}

#[tokio::test]
async fn rejects_a_call_that_cannot_be_replayed() {
    for mut world in lone_worlds().await {
        let first = world.begin("wander").await;
        world.forget().await;
        for _ in 0..2 {
            let refused = world.answer("wander", &first, seat("12A")).await;
            let (code, message) = error(&refused);
            assert!(code == -32602 && message.contains("send the request again without it"), "{refused}");
        }
        assert_eq!(world.watched.client.get(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn keeps_a_future_for_fifteen_minutes_and_the_call_longer() {
    let mut world = World::one();
    let first = world.begin("book").await;
    let lost = world.begin("wander").await;
    tokio::time::sleep(Duration::from_secs(14 * 60)).await;
    let second = world.answer("book", &first, seat("12A")).await;
    assert_eq!(world.watched.client.get(), 2);
    tokio::time::sleep(Duration::from_secs(16 * 60)).await;
    assert_eq!(text(&world.answer("book", &state(&second), sure(true)).await), BOOKED);
    assert_eq!((world.watched.runs(), world.watched.client.get()), ((1, 1), 3));
    assert_eq!(error(&world.answer("wander", &lost, seat("12A")).await).0, -32602);
}

/// Returns what the client received: log messages and progress.
fn heard(outcome: &Outcome) -> (Vec<String>, Vec<f64>) {
    let logs = outcome.logs().iter().map(|log| log.data.as_str().unwrap().to_owned());
    (logs.collect(), outcome.progress().iter().map(|report| report.progress).collect())
}

#[tokio::test]
async fn a_replay_does_not_repeat_logs_or_progress() {
    for tool in ["book", "plan"] {
        for world in lone_worlds().await {
            let mut heard_by = Vec::new();
            for client in [Client::modern(&world.services[0]), Client::modern(&world.services[0]).rebuilding()] {
                let mut client = client;
                let outcome = client.call(tool, ()).accept(twelve_a()).accept(Sure { sure: true }).await;
                assert_eq!(outcome.rounds(), 3);
                heard_by.push(heard(&outcome));
            }
            let (logs, progress) = &heard_by[0];
            let said: Vec<_> = logs.iter().map(String::as_str).filter(|text| !text.contains("offers")).collect();
            assert_eq!(said[..3], ["asks for a seat", "has a seat", "sure: true"]);
            assert_eq!(*progress, [0.25, 0.5]);
            assert_eq!(heard_by[0], heard_by[1], "{tool}");
        }
    }
}

#[tokio::test]
async fn keeps_partial_answers_in_a_replay() {
    for mut world in worlds().await {
        let first = world.begin("both").await;
        world.forget().await;
        let second = world.answer("both", &first, sure(true)).await;
        assert_eq!(asked(&second), ["seat"]);
        world.forget().await;
        assert_eq!(text(&world.answer("both", &state(&second), seat("12A")).await), "12A true");
    }
}

#[tokio::test]
async fn a_replay_does_not_repeat_a_question_that_lost_a_race() {
    // Whichever branch is polled first is random.
    for _ in 0..8 {
        for mut world in worlds().await {
            let first = world.begin("either").await;
            world.forget().await;
            let second = world.answer("either", &first, sure(false)).await;
            assert_eq!(asked(&second), ["sure#2"]);
            world.forget().await;
            let last = json!({ "sure#2": sure(true)["sure"], "seat": seat("12A")["seat"] });
            assert_eq!(text(&world.answer("either", &state(&second), last).await), "false true");
        }
    }
}

#[tokio::test]
async fn scripted_clients_see_no_difference() {
    let world = World::one();
    let mut client = Client::modern(&world.services[0]).rebuilding();
    let both = client.call("both", ()).reply_to("sure", Reply::accept(Sure { sure: true })).accept(twelve_a()).await;
    assert_eq!((both.text().as_str(), both.rounds()), ("12A true", 2));
    let either = client
        .call("either", ())
        .accept(twelve_a())
        .reply_to("sure", Reply::accept(Sure { sure: true }))
        .reply_to("sure#2", Reply::accept(Sure { sure: false }))
        .await;
    assert!(["12A false", "true false"].contains(&either.text().as_str()), "{}", either.text());
}
