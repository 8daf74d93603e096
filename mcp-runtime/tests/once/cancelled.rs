//! Requests whose client has disconnected.

use crate::once::{
    tools::Watched,
    wire::{asked, error, seat, state, sure, text},
    world::{Sent, World, lone_worlds, worlds},
};

const BOOKED: &str = "12A to Lisbon for 100";

/// The ways in which a client disconnects.
#[derive(Clone, Copy, Debug)]
enum Away {
    Cancels,
    Disconnects,
}

impl Away {
    const ALL: [Self; 2] = [Self::Cancels, Self::Disconnects];

    async fn happens(self, world: &mut World, sent: Sent) {
        match self {
            Self::Cancels => world.cancel(sent).await,
            Self::Disconnects => world.disconnect(sent),
        }
    }
}

/// Sends a request, and waits until the call has reached a gate of the tool.
async fn held(world: &mut World, tool: &str, last: &serde_json::Value, answer: serde_json::Value) -> Sent {
    let watched = world.watched.clone();
    let came = watched.talk.came();
    watched.talk.close();
    let sent = world.send_answer(tool, last, answer).await;
    watched.talk.reached(came + 1).await;
    sent
}

#[tokio::test]
async fn a_disconnect_before_the_effect_releases_the_round() {
    for tool in ["book", "plan"] {
        for away in Away::ALL {
            for mut world in worlds().await {
                let watched = world.watched.clone();
                let first = world.begin(tool).await;
                let sent = held(&mut world, tool, &first, seat("12A")).await;
                away.happens(&mut world, sent).await;
                watched.talk.open();
                // The same state accepts another answer this time.
                let second = world.answer(tool, &first, seat("1F")).await;
                assert_eq!(asked(&second), ["sure"], "{tool} {away:?}");
                let done = world.answer(tool, &state(&second), sure(true)).await;
                assert!(text(&done).starts_with("1F "), "{done}");
                assert_eq!(watched.runs(), if tool == "book" { (1, 1) } else { (0, 0) });
            }
        }
    }
}

#[tokio::test]
async fn a_round_can_be_released_many_times() {
    for mut world in worlds().await {
        let watched = world.watched.clone();
        let mut last = world.begin("book").await;
        for answer in [seat("12A"), sure(true)] {
            for _ in 0..3 {
                watched.talk.close();
                let runs = watched.client.get();
                let sent = world.send_answer("book", &last, answer.clone()).await;
                // A replayed call starts again; a parked one continues.
                tokio::time::timeout(std::time::Duration::from_millis(50), wait_for_run(&watched, runs)).await.ok();
                world.cancel(sent).await;
                watched.talk.open();
            }
            let response = world.answer("book", &last, answer).await;
            if response["result"]["resultType"] != "input_required" {
                assert_eq!(text(&response), BOOKED);
                break;
            }
            last = state(&response);
        }
        assert_eq!(watched.runs(), (1, 1));
    }
}

async fn wait_for_run(watched: &Watched, runs: usize) {
    while watched.client.get() == runs {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_disconnect_ends_a_call_that_cannot_be_replayed() {
    for away in Away::ALL {
        for mut world in lone_worlds().await {
            let first = world.begin("wander").await;
            let sent = held(&mut world, "wander", &first, seat("12A")).await;
            away.happens(&mut world, sent).await;
            world.watched.talk.open();
            for _ in 0..2 {
                let over = world.answer("wander", &first, seat("12A")).await;
                let (code, message) = error(&over);
                assert!(code == -32602 && message.contains("send the request again without it"), "{over}");
            }
            assert_eq!(world.watched.client.get(), 1);
        }
    }
}

#[tokio::test]
async fn an_effect_that_has_begun_finishes_after_a_disconnect() {
    for away in Away::ALL {
        for mut world in worlds().await {
            let watched = world.watched.clone();
            let second = world.begin_and_sit("book").await;
            watched.effect.close();
            let sent = world.send_answer("book", &second, sure(true)).await;
            watched.effect.reached(1).await;
            away.happens(&mut world, sent).await;
            // One retry waits for the outcome, another comes later.
            let waits = world.send_answer("book", &second, sure(true)).await;
            watched.effect.open();
            assert_eq!(text(&world.reply(waits).await), BOOKED, "{away:?}");
            for answer in [sure(true), sure(false)] {
                assert_eq!(text(&world.answer("book", &second, answer).await), BOOKED);
            }
            assert_eq!((watched.runs(), watched.unwanted.get()), ((1, 1), 1), "{away:?}");
        }
    }
}

#[tokio::test]
async fn a_waiting_retry_can_disconnect() {
    for mut world in worlds().await {
        let watched = world.watched.clone();
        let second = world.begin_and_sit("book").await;
        watched.effect.close();
        let runs = world.send_answer("book", &second, sure(true)).await;
        watched.effect.reached(1).await;
        let waits = world.send_answer("book", &second, sure(true)).await;
        world.cancel(waits).await;
        watched.effect.open();
        assert_eq!(text(&world.reply(runs).await), BOOKED);
        assert_eq!((watched.runs(), watched.unwanted.get()), ((1, 1), 0));
    }
}

/// What is dropped: the server inside of its runtime, the server outside of its runtime, or the runtime.
#[derive(Clone, Copy, Debug)]
enum End {
    Inside,
    ServerFirst,
    RuntimeFirst,
}

#[test]
fn runtime_and_server_can_be_dropped_in_any_order() {
    for tool in ["wander", "plan", "book"] {
        for away in [None, Some(Away::Cancels), Some(Away::Disconnects)] {
            for end in [End::Inside, End::ServerFirst, End::RuntimeFirst] {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                let world = runtime.block_on(async {
                    let mut world = World::one();
                    let first = world.begin(tool).await;
                    let sent = held(&mut world, tool, &first, seat("12A")).await;
                    if let Some(away) = away {
                        away.happens(&mut world, sent).await;
                    }
                    world.send_answer(tool, &first, seat("1F")).await;
                    (!matches!(end, End::Inside)).then_some(world)
                });
                match end {
                    End::Inside | End::ServerFirst => {
                        drop(world);
                        drop(runtime);
                    }
                    End::RuntimeFirst => {
                        drop(runtime);
                        drop(world);
                    }
                }
            }
        }
    }
}
