//! Repeated requests: a lost reply, a proxy that sends twice, a client that changes its answer.

use serde_json::json;

use crate::once::{
    wire::{asked, seat, state, sure, text},
    world::{later, worlds},
};

const BOOKED: &str = "12A to Lisbon for 100";

#[tokio::test]
async fn a_repeated_first_request_is_a_new_call() {
    for mut world in worlds().await {
        let states = [world.begin_and_sit("book").await, world.begin_and_sit("book").await];
        assert_eq!(world.watched.runs(), (2, 0));
        for (state, booked) in states.iter().zip([BOOKED, "12A to Lisbon for 200"]) {
            assert_eq!(text(&world.answer("book", state, sure(true)).await), booked);
        }
        assert_eq!(world.watched.runs(), (2, 2));
    }
}

#[tokio::test]
async fn repeats_a_lost_reply_for_every_retry() {
    for mut world in worlds().await {
        let first = world.begin("book").await;
        let second = world.answer("book", &first, seat("12A")).await;
        for _ in 0..10 {
            assert_eq!(world.answer("book", &first, seat("12A")).await, second);
        }
        assert_eq!(world.watched.client.get(), world.wires.len());

        let result = world.answer("book", &state(&second), sure(true)).await;
        assert_eq!(text(&result), BOOKED);
        let runs = world.watched.client.get();
        for _ in 0..10 {
            assert_eq!(world.answer("book", &state(&second), sure(true)).await, result);
            assert_eq!(world.answer("book", &first, seat("12A")).await, result);
            assert_eq!(world.call("book", json!({ "requestState": first })).await, result);
        }
        assert_eq!((world.watched.runs(), world.watched.client.get()), ((1, 1), runs));
    }
}

#[tokio::test]
async fn the_first_answer_wins() {
    for mut world in worlds().await {
        let first = world.begin("book").await;
        let second = world.answer("book", &first, seat("12A")).await;
        for other in [seat("1F"), seat("x"), json!({}), json!({ "seat": { "action": "decline" } })] {
            assert_eq!(world.answer("book", &first, other).await, second);
        }
        let second = state(&second);
        let result = world.answer("book", &second, sure(true)).await;
        assert_eq!(text(&result), BOOKED);
        for other in [sure(false), json!({}), json!({ "sure": { "action": "cancel" } })] {
            assert_eq!(world.answer("book", &second, other).await, result);
        }
        assert_eq!(world.answer("book", &first, seat("1F")).await, result);
        assert_eq!(world.watched.runs(), (1, 1));
    }
}

#[tokio::test]
async fn one_of_eight_concurrent_requests_runs_and_all_get_its_reply() {
    for mut world in worlds().await {
        let watched = world.watched.clone();
        let mut response = world.call("book", json!({})).await;
        for (answer, came) in [(seat("12A"), 1), (sure(true), 2)] {
            let request = later(&state(&response), &answer);
            // A replayed call passes the first gate again.
            watched.talk.close();
            let mut sent = Vec::new();
            for _ in 0..8 {
                sent.push(world.send("book", &request).await);
            }
            watched.talk.reached(came).await;
            let runs = watched.client.get();
            watched.talk.open();
            let mut replies = Vec::new();
            for sent in sent {
                replies.push(world.reply(sent).await);
            }
            assert!(replies.iter().all(|reply| *reply == replies[0]), "{replies:?}");
            assert_eq!(watched.client.get(), runs);
            response = replies.swap_remove(0);
        }
        assert_eq!((text(&response), watched.runs()), (BOOKED, (1, 1)));
    }
}

#[tokio::test]
async fn one_of_eight_concurrent_answers_wins() {
    for mut world in worlds().await {
        let watched = world.watched.clone();
        let first = world.begin("book").await;
        watched.talk.close();
        let mut sent = Vec::new();
        for row in 1..=8 {
            sent.push(world.send_answer("book", &first, seat(&format!("{row}A"))).await);
        }
        watched.talk.reached(1).await;
        watched.talk.open();
        let mut replies = Vec::new();
        for sent in sent {
            replies.push(world.reply(sent).await);
        }
        assert!(replies.iter().all(|reply| *reply == replies[0]), "{replies:?}");
        assert_eq!(asked(&replies[0]), ["sure"]);
        let question = replies[0]["result"]["inputRequests"]["sure"]["params"]["message"].as_str().unwrap();
        let result = world.answer("book", &state(&replies[0]), sure(true)).await;
        let (booked, _) = text(&result).split_once(" to").unwrap();
        assert_eq!(question, format!("Seat {booked} to Lisbon?"));
        assert_eq!(watched.runs(), (1, 1));
    }
}

#[tokio::test]
async fn eight_concurrent_requests_have_one_effect() {
    for mut world in worlds().await {
        let watched = world.watched.clone();
        let second = world.begin_and_sit("book").await;
        watched.effect.close();
        let mut sent = Vec::new();
        for _ in 0..8 {
            sent.push(world.send_answer("book", &second, sure(true)).await);
        }
        watched.effect.reached(1).await;
        watched.effect.open();
        for sent in sent {
            assert_eq!(text(&world.reply(sent).await), BOOKED);
        }
        assert_eq!(watched.runs(), (1, 1));
    }
}
