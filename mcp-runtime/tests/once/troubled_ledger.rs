//! A ledger with failures.

use serde_json::json;

use crate::once::{
    wire::{asked, is_refused_for_now, seat, state, sure, text},
    world::World,
};
use crate::support::shared_ledger::SharedLedger;

const BOOKED: &str = "12A to Lisbon for 100";

fn world() -> (World, SharedLedger) {
    let ledger = SharedLedger::default();
    (World::with_ledger(ledger.clone()), ledger)
}

#[tokio::test(start_paused = true)]
async fn an_outage_of_the_ledger_does_not_consume_a_state() {
    let (mut world, ledger) = world();
    let mut last = world.begin("book").await;
    for answer in [seat("12A"), sure(true)] {
        let runs = world.watched.client.get();
        ledger.is_away.set(true);
        for _ in 0..3 {
            is_refused_for_now(&world.answer("book", &last, answer.clone()).await);
            is_refused_for_now(&world.answer("book", &last, json!({})).await);
        }
        ledger.is_away.set(false);
        assert_eq!((world.watched.client.get(), world.watched.after.get()), (runs, 0));
        let response = world.answer("book", &last, answer).await;
        if response["result"]["resultType"] != "input_required" {
            assert_eq!(text(&response), BOOKED);
            break;
        }
        last = state(&response);
    }
    assert_eq!(world.watched.runs(), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn releases_a_round_whose_end_cannot_be_recorded() {
    let (mut world, ledger) = world();
    let watched = world.watched.clone();
    let first = world.begin("book").await;
    watched.talk.close();
    let sent = world.send_answer("book", &first, seat("12A")).await;
    watched.talk.reached(1).await;
    ledger.is_away.set(true);
    watched.talk.open();
    is_refused_for_now(&world.reply(sent).await);
    ledger.is_away.set(false);
    let second = world.answer("book", &first, seat("12A")).await;
    assert_eq!(asked(&second), ["sure"]);
    assert_eq!(text(&world.answer("book", &state(&second), sure(true)).await), BOOKED);
    assert_eq!(watched.runs(), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn no_effect_begins_during_an_outage() {
    let (mut world, ledger) = world();
    let watched = world.watched.clone();
    let second = world.begin_and_sit("book").await;
    watched.talk.close();
    let sent = world.send_answer("book", &second, sure(true)).await;
    watched.talk.reached(2).await;
    ledger.is_away.set(true);
    watched.talk.open();
    is_refused_for_now(&world.reply(sent).await);
    assert_eq!(watched.runs(), (1, 0));
    ledger.is_away.set(false);
    assert_eq!(text(&world.answer("book", &second, sure(true)).await), BOOKED);
    assert_eq!(watched.runs(), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_result_survives_a_failure_to_record_it() {
    let (mut world, ledger) = world();
    let watched = world.watched.clone();
    let second = world.begin_and_sit("book").await;
    watched.effect.close();
    let sent = world.send_answer("book", &second, sure(true)).await;
    watched.effect.reached(1).await;
    ledger.is_away.set(true);
    watched.effect.open();
    assert_eq!(text(&world.reply(sent).await), BOOKED);
    ledger.is_away.set(false);
    assert_eq!(text(&world.answer("book", &second, sure(false)).await), BOOKED);
    assert_eq!(watched.runs(), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn recovers_from_a_write_falsely_reported_as_failed() {
    let (mut world, ledger) = world();
    let first = world.begin("book").await;
    ledger.is_unsure.set(true);
    let second = world.answer("book", &first, seat("12A")).await;
    ledger.is_unsure.set(true);
    assert_eq!(text(&world.answer("book", &state(&second), sure(true)).await), BOOKED);
    assert_eq!(world.watched.runs(), (1, 1));
}
