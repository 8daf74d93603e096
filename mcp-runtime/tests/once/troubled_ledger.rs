//! A ledger with failures.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use mcp_runtime::{
    Ledger, LedgerEntry, LedgerError, LedgerFuture, LedgerId, LedgerKey, LedgerTime, LedgerVersion, MemoryLedger,
    Swapped,
};
use serde_json::{Value, json};

use crate::{
    wire::{asked, error, seat, state, sure, text},
    world::World,
};

const BOOKED: &str = "12A to Lisbon for 100";

/// A ledger that can be switched off and on.
struct Troubled {
    ledger: MemoryLedger,
    away: AtomicBool,
    /// Writes succeed but are reported as failed.
    unsure: AtomicBool,
}

impl Troubled {
    fn new() -> Arc<Self> {
        let (away, unsure) = (AtomicBool::new(false), AtomicBool::new(false));
        Arc::new(Self { ledger: MemoryLedger::new(), away, unsure })
    }

    fn goes_away(&self) {
        self.away.store(true, Ordering::SeqCst);
    }

    fn is_back(&self) {
        self.away.store(false, Ordering::SeqCst);
    }

    fn check(&self) -> Result<(), LedgerError> {
        if self.away.load(Ordering::SeqCst) { Err(LedgerError::failed("no connection")) } else { Ok(()) }
    }
}

impl Ledger for Troubled {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        self.ledger.id()
    }

    fn now(&self) -> LedgerTime {
        self.ledger.now()
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        Box::pin(async move {
            self.check()?;
            self.ledger.load(key).await
        })
    }

    fn swap<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(async move {
            self.check()?;
            let swapped = self.ledger.swap(key, seen, value, keep, before).await?;
            if self.unsure.swap(false, Ordering::SeqCst) {
                return Err(LedgerError::failed("no answer"));
            }
            Ok(swapped)
        })
    }
}

fn world() -> (World, Arc<Troubled>) {
    let ledger = Troubled::new();
    (World::with_ledger(Arc::clone(&ledger)), ledger)
}

#[track_caller]
fn is_refused_for_now(response: &Value) {
    let (code, message) = error(response);
    assert!(code == -32603 && message.contains("send the same request again"), "{response}");
}

#[tokio::test(start_paused = true)]
async fn an_outage_of_the_ledger_does_not_consume_a_state() {
    let (mut world, ledger) = world();
    let mut last = world.begin("book").await;
    for answer in [seat("12A"), sure(true)] {
        let runs = world.watched.client.get();
        ledger.goes_away();
        for _ in 0..3 {
            is_refused_for_now(&world.answer("book", &last, answer.clone()).await);
            is_refused_for_now(&world.answer("book", &last, json!({})).await);
        }
        ledger.is_back();
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
    ledger.goes_away();
    watched.talk.open();
    is_refused_for_now(&world.reply(sent).await);
    ledger.is_back();
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
    ledger.goes_away();
    watched.talk.open();
    is_refused_for_now(&world.reply(sent).await);
    assert_eq!(watched.runs(), (1, 0));
    ledger.is_back();
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
    ledger.goes_away();
    watched.effect.open();
    assert_eq!(text(&world.reply(sent).await), BOOKED);
    ledger.is_back();
    assert_eq!(text(&world.answer("book", &second, sure(false)).await), BOOKED);
    assert_eq!(watched.runs(), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn recovers_from_a_write_falsely_reported_as_failed() {
    let (mut world, ledger) = world();
    let first = world.begin("book").await;
    ledger.unsure.store(true, Ordering::SeqCst);
    let second = world.answer("book", &first, seat("12A")).await;
    ledger.unsure.store(true, Ordering::SeqCst);
    assert_eq!(text(&world.answer("book", &state(&second), sure(true)).await), BOOKED);
    assert_eq!(world.watched.runs(), (1, 1));
}
