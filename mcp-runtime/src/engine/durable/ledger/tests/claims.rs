//! Tests that claim a round, or wait for it.

use std::{
    future::{pending, ready},
    pin::pin,
    sync::Arc,
    task::{Context, Waker},
    time::Duration,
};

use tokio::{
    task::{JoinSet, yield_now},
    time::{Instant, advance, sleep},
};

use super::{
    super::{
        Ledger, MemoryLedger, RecordKey,
        claim::{ClaimOutcome, Turn},
        record::{Record, Status},
    },
    Call, HOUR, SECOND, claimed, killed, replied,
};
use crate::engine::{
    call::{
        call_id::CallId,
        lease::{ClaimError, LedgerError},
    },
    durable::ledger::record::{LEASE, Lease},
};

#[tokio::test(start_paused = true)]
async fn most_transitions_take_one_round_trip() {
    let call = Call::of(1);
    let claim = call.claim(1).await;
    assert_eq!(call.gate.trips(), 1);
    claim.pass(b"question").await.unwrap();
    assert_eq!(call.gate.trips(), 1);
    let claim = call.claim(2).await;
    assert_eq!(call.gate.trips(), 2, "a load and a swap");
    claim.begin().await.unwrap();
    claim.finish(b"result").await.unwrap();
    assert_eq!(call.gate.trips(), 2);
    assert_eq!(call.reply(2).await, "result");
    assert_eq!(call.gate.trips(), 1);
}

#[tokio::test(start_paused = true)]
async fn at_most_sixteen_requests_wait_for_a_round() {
    let call = Arc::new(Call::of(1));
    let claim = call.claim(1).await;
    let mut requests = JoinSet::new();
    for _ in 0..16 {
        let call = Arc::clone(&call);
        requests.spawn(async move { replied(&call.try_claim(1).await.unwrap()) });
    }
    sleep(SECOND).await;
    let start = Instant::now();
    let seventeenth = call.try_claim(1).await.unwrap();
    let ClaimOutcome::Busy { retry_after } = seventeenth else { panic!("{seventeenth:?}") };
    assert!(start.elapsed().is_zero(), "it does not wait");
    assert!((SECOND / 4..=5 * SECOND).contains(&retry_after), "{retry_after:?}");
    claim.pass(b"question").await.unwrap();
    assert_eq!(requests.join_all().await, ["question"; 16]);
    assert!(call.instances[0].waiting.is_empty());
}

#[tokio::test(start_paused = true)]
async fn requests_wait_at_most_thirty_seconds() {
    let call = Arc::new(Call::of(2));
    let claim = call.claim(1).await;
    let running = tokio::spawn(async move { claim.keep_alive(sleep(HOUR)).await });
    for instance in [0, 1] {
        let start = Instant::now();
        let outcome = call.try_claim_at(instance, 1).await;
        assert!(matches!(outcome, ClaimOutcome::Busy { .. }), "{outcome:?}");
        assert_eq!(start.elapsed().as_secs(), 30);
    }
    running.abort();
}

/// The holder wakes the waiters, and no operation of the ledger is needed for that.
#[tokio::test(start_paused = true)]
async fn waiters_in_the_same_process_are_woken_at_once() {
    let call = Arc::new(Call::of(1));
    let claim = call.claim(1).await;
    let waits = tokio::spawn({
        let call = Arc::clone(&call);
        async move { (replied(&call.try_claim(1).await.unwrap()), Instant::now()) }
    });
    sleep(10 * SECOND).await;
    let told = Instant::now();
    claim.pass(b"question").await.unwrap();
    assert_eq!(waits.await.unwrap(), ("question".to_owned(), told));
}

#[tokio::test(start_paused = true)]
async fn waiters_in_another_process_poll_the_ledger() {
    let call = Arc::new(Call::of(2));
    let claim = call.claim(1).await;
    let waits = tokio::spawn({
        let call = Arc::clone(&call);
        async move { (replied(&call.try_claim_at(1, 1).await), Instant::now()) }
    });
    sleep(10 * SECOND).await;
    call.gate.trips();
    let told = Instant::now();
    claim.pass(b"question").await.unwrap();
    let (_, seen) = waits.await.unwrap();
    assert!(seen - told <= SECOND, "{:?}", seen - told);
    assert!(call.gate.trips() <= 3);
}

#[tokio::test(start_paused = true)]
async fn released_round_goes_to_one_waiter() {
    let call = Arc::new(Call::of(1));
    let claim = call.claim(1).await;
    let mut requests = JoinSet::new();
    for _ in 0..3 {
        let call = Arc::clone(&call);
        requests.spawn(async move {
            match call.try_claim(1).await.unwrap() {
                ClaimOutcome::Run(claim) => claim.pass(b"question").await.map(|()| "ran".to_owned()).unwrap(),
                other => replied(&other),
            }
        });
    }
    sleep(SECOND).await;
    let now = Instant::now();
    drop(claim);
    let mut outcomes = requests.join_all().await;
    outcomes.sort();
    assert_eq!(outcomes, ["question", "question", "ran"]);
    assert!(now.elapsed().is_zero());
}

#[tokio::test(start_paused = true)]
async fn lease_is_renewed_while_the_future_runs() {
    let call = Call::of(2);
    let claim = call.claim_at(0, 1).await;
    call.gate.trips();
    let other = async {
        sleep(HOUR - SECOND).await;
        assert!(matches!(call.try_claim_at(1, 1).await, ClaimOutcome::Busy { .. }));
    };
    let running = claim.keep_alive(async {
        sleep(HOUR / 2).await;
        claim.begin().await.unwrap();
        sleep(HOUR).await;
    });
    let (ran, ()) = tokio::join!(running, other);
    ran.unwrap();
    claim.finish(b"result").await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn future_ends_when_its_lease_is_lost() {
    let call = Call::of(2);
    let stalled = call.claim_at(0, 1).await;
    advance(LEASE).await;
    let other = call.claim_at(1, 1).await;
    let start = Instant::now();
    let lost = stalled.keep_alive(pending::<()>()).await;
    assert!(matches!(lost, Err(ClaimError::Lost)), "{lost:?}");
    assert!(start.elapsed() <= LEASE);
    other.pass(b"question").await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn begun_future_runs_to_its_end_even_without_a_lease() {
    let call = Call::of(1);
    let claim = call.claim(1).await;
    claim.begin().await.unwrap();
    call.gate.shut(true);
    claim.keep_alive(sleep(2 * LEASE)).await.unwrap();
    call.gate.shut(false);
    claim.keep_alive(sleep(HOUR)).await.unwrap();

    // Another request can begin the effect again, and does so here.
    advance(LEASE).await;
    let again = Turn { again: true, ..call.turn(1) };
    let other = claimed(call.instances[0].claim_round(again, || true).await.unwrap());
    claim.keep_alive(sleep(LEASE)).await.unwrap();
    assert!(matches!(claim.finish(b"first result").await, Err(ClaimError::Lost)));
    other.finish(b"result").await.unwrap();
    assert_eq!(call.reply(1).await, "result");
}

#[tokio::test(start_paused = true)]
async fn future_continues_after_it_passed_its_claim_on() {
    let call = Call::of(1);
    let claim = call.claim(1).await;
    let parked = claim.keep_alive(async {
        claim.pass(b"question").await.unwrap();
        sleep(HOUR).await;
        "parked"
    });
    assert_eq!(parked.await.unwrap(), "parked");
}

/// The test has no async runtime, so a timer would panic.
#[test]
fn ready_future_needs_no_timer() {
    let call = Call::of(1);
    let mut cx = Context::from_waker(Waker::noop());
    assert!(pin!(async { call.claim(1).await.keep_alive(ready(1)).await }).poll(&mut cx).is_ready());
}

#[tokio::test(start_paused = true)]
async fn full_ledger_rejects_only_new_calls() {
    let call = Call::over(MemoryLedger::with_limits(1, 1 << 20), 1);
    let claim = call.claim(1).await;
    let other = Turn { key: RecordKey { ledger: call.id, call: CallId(2, 2) }, ..call.turn(1) };
    let outcome = call.instances[0].claim_round(other, || true).await;
    assert!(matches!(outcome, Err(LedgerError::Full)), "{outcome:?}");
    claim.finish(b"result").await.unwrap();
    sleep(2 * HOUR).await;
    killed(claimed(call.instances[0].claim_round(other, || true).await.unwrap()));
}

#[tokio::test(start_paused = true)]
async fn does_not_store_a_reply_that_is_too_large() {
    let call = Call::of(1);
    call.claim(1).await.pass(&[b' '; 256 * 1024]).await.unwrap();
    assert_eq!(call.reply(1).await.len(), 256 * 1024);
    call.claim(2).await.pass(&[b' '; 256 * 1024 + 1]).await.unwrap();
    assert!(matches!(call.try_claim(2).await, Ok(ClaimOutcome::NotKept { done: false })));
    call.claim(3).await.finish(&[b' '; 256 * 1024 + 1]).await.unwrap();
    assert!(matches!(call.try_claim(3).await, Ok(ClaimOutcome::NotKept { done: true })));
}

#[tokio::test(start_paused = true)]
async fn does_not_store_a_reply_without_room_in_the_ledger() {
    let call = Call::over(MemoryLedger::with_limits(1, 2000), 1);
    call.claim(1).await.pass(&[b' '; 10_000]).await.unwrap();
    assert!(matches!(call.try_claim(1).await, Ok(ClaimOutcome::NotKept { done: false })));
    call.claim(2).await.finish(&[b' '; 10_000]).await.unwrap();
    assert!(matches!(call.try_claim(2).await, Ok(ClaimOutcome::NotKept { done: true })));
}

#[tokio::test(start_paused = true)]
async fn does_not_overwrite_an_unreadable_record() {
    let call = Call::of(1);
    let ledger = call.gate.ledger();
    ledger.swap(call.key(), None, b"\x09from the future"[..].into(), HOUR, None).await.unwrap();
    for round in [1, 2] {
        assert!(matches!(call.try_claim(round).await, Err(LedgerError::Failed(_))));
    }
    let entry = ledger.load(call.key()).await.unwrap().unwrap();
    assert_eq!(*entry.value, *b"\x09from the future");
}

#[tokio::test(start_paused = true)]
async fn dropped_waiter_leaves_nothing_behind() {
    let call = Call::of(1);
    let claim = call.claim(1).await;
    {
        let mut waits = pin!(call.try_claim(1));
        assert!(waits.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        assert!(!call.instances[0].waiting.is_empty());
    }
    assert!(call.instances[0].waiting.is_empty());
    yield_now().await;
    claim.pass(b"question").await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn leases_use_the_ledger_time() {
    let call = Call::of(1);
    killed(call.claim(1).await);
    let entry = call.gate.ledger().load(call.key()).await.unwrap().unwrap();
    let Status::Running(Lease { until, .. }) = Record::from_bytes(&entry.value).unwrap().status else { panic!() };
    assert_eq!(until, call.gate.now().after(LEASE));
    advance(LEASE).await;
    drop(call.claim(1).await);
}

/// The ledger rejects the swap for an expired state even if the record is gone.
#[tokio::test(start_paused = true)]
async fn expired_state_is_rejected_by_the_claiming_swap() {
    let call = Call::of(1);
    let turn = Turn { expires: Some(call.gate.now().after(SECOND)), keep: SECOND / 2, ..call.turn(1) };
    let try_claim = async || call.instances[0].claim_round(turn, || true).await.unwrap();
    claimed(try_claim().await).finish(b"result").await.unwrap();
    sleep(SECOND - Duration::from_millis(1)).await;
    assert_eq!(replied(&try_claim().await), "result", "the record is kept as long as the state is valid");
    sleep(Duration::from_millis(2)).await;
    assert!(matches!(try_claim().await, ClaimOutcome::Gone));
    assert_eq!(call.gate.ledger().load(call.key()).await.unwrap(), None);
    // The instance's own estimate of the time does not matter.
    call.gate.lag(HOUR);
    call.gate.trips();
    assert!(matches!(try_claim().await, ClaimOutcome::Gone));
    assert_eq!(call.gate.trips(), 1, "the ledger rejects it");
}

/// Only another instance has the future of the call, but every instance can return recorded replies.
#[tokio::test(start_paused = true)]
async fn instance_without_the_future_claims_nothing_but_returns_replies() {
    let call = Call::of(2);
    let elsewhere = async |round| call.instances[1].claim_round(call.turn(round), || false).await.unwrap();
    assert!(matches!(elsewhere(1).await, ClaimOutcome::NotHere));
    let claim = call.claim(1).await;
    let (waits, ()) = tokio::join!(elsewhere(1), async {
        sleep(10 * SECOND).await;
        claim.pass(b"question").await.unwrap();
    });
    assert_eq!(replied(&waits), "question");
    assert!(matches!(elsewhere(2).await, ClaimOutcome::NotHere));
    call.claim(2).await.finish(b"result").await.unwrap();
    assert_eq!(replied(&elsewhere(2).await), "result");
}
