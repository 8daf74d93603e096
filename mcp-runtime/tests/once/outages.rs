//! Calls whose store is a server that stops, or loses what it has stored.

use serde_json::Value;

use crate::{
    once::{
        wire::{error, is_refused_for_now, seat, state, sure, text},
        world::World,
    },
    support::stores::StoreServer,
};

const BOOKED: &str = "12A to Lisbon for 100";

/// Creates two instances that share the server.
async fn world(server: &StoreServer) -> World {
    let store = server.store();
    World::two([store.ledger().await, store.ledger().await])
}

#[track_caller]
fn is_of_another_ledger(response: &Value) {
    let (code, message) = error(response);
    assert!(code == -32602 && message.contains("ledger"), "{response}");
}

#[tokio::test]
async fn an_outage_of_the_ledger_does_not_consume_a_state() {
    for server in StoreServer::all() {
        let mut world = world(&server).await;
        let mut last = world.begin("book").await;
        for answer in [seat("12A"), sure(true)] {
            let runs = world.watched.client.get();
            server.kill();
            for _ in 0..2 {
                is_refused_for_now(&world.answer("book", &last, answer.clone()).await);
            }
            assert_eq!((world.watched.client.get(), world.watched.after.get()), (runs, 0));
            server.start_again();
            let response = world.answer("book", &last, answer).await;
            if response["result"]["resultType"] != "input_required" {
                assert_eq!(text(&response), BOOKED);
                break;
            }
            last = state(&response);
        }
        assert_eq!(world.watched.runs(), (1, 1));
    }
}

#[tokio::test]
async fn releases_a_round_whose_end_cannot_be_recorded() {
    for server in StoreServer::all() {
        let mut world = world(&server).await;
        let watched = world.watched.clone();
        let mut last = world.begin("book").await;
        for answer in [seat("12A"), sure(true)] {
            let came = watched.talk.came();
            watched.talk.close();
            let sent = world.send_answer("book", &last, answer.clone()).await;
            watched.talk.reached(came + 1).await;
            server.kill();
            watched.talk.open();
            is_refused_for_now(&world.reply(sent).await);
            assert_eq!(watched.after.get(), 0, "no effect begins while it is away");
            server.start_again();
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

#[tokio::test]
async fn records_a_result_after_an_outage() {
    for server in StoreServer::all() {
        let mut world = world(&server).await;
        let watched = world.watched.clone();
        let second = world.begin_and_sit("book").await;
        watched.effect.close();
        let sent = world.send_answer("book", &second, sure(true)).await;
        watched.effect.reached(1).await;
        server.kill();
        watched.effect.open();
        assert_eq!(text(&world.reply(sent).await), BOOKED);
        server.start_again();
        // A retry records it too, as soon as that is possible.
        for _ in 0..2 {
            assert_eq!(text(&world.answer("book", &second, sure(true)).await), BOOKED);
        }
        assert_eq!(watched.runs(), (1, 1));
    }
}

#[tokio::test]
async fn rejects_all_calls_of_an_emptied_store() {
    for server in StoreServer::all() {
        let mut world = world(&server).await;
        let first = world.begin("book").await;
        let second = world.begin_and_sit("book").await;
        server.empty();
        for _ in 0..2 {
            for (state, answer) in [(&first, seat("12A")), (&second, sure(true)), (&first, seat("1F"))] {
                is_of_another_ledger(&world.answer("book", state, answer).await);
            }
        }
        assert_eq!(world.watched.runs(), (2, 0));
        // A new call works.
        let second = world.begin_and_sit("book").await;
        assert_eq!(text(&world.answer("book", &second, sure(true)).await), "12A to Lisbon for 300");
    }
}

#[tokio::test]
async fn a_store_emptied_during_a_round_starts_no_effect() {
    for server in StoreServer::all() {
        let mut world = world(&server).await;
        let watched = world.watched.clone();
        let second = world.begin_and_sit("book").await;
        let came = watched.talk.came();
        watched.talk.close();
        let sent = world.send_answer("book", &second, sure(true)).await;
        watched.talk.reached(came + 1).await;
        server.empty();
        watched.talk.open();
        let response = world.reply(sent).await;
        assert!(response.get("error").is_some(), "{response}");
        is_of_another_ledger(&world.answer("book", &second, sure(true)).await);
        assert_eq!(watched.runs(), (1, 0));

        // The effect that had begun is reported to its client.
        let second = world.begin_and_sit("book").await;
        watched.effect.close();
        let sent = world.send_answer("book", &second, sure(true)).await;
        watched.effect.reached(1).await;
        server.empty();
        watched.effect.open();
        assert_eq!(text(&world.reply(sent).await), "12A to Lisbon for 200");
        is_of_another_ledger(&world.answer("book", &second, sure(true)).await);
        assert_eq!(watched.runs(), (2, 1));
    }
}
