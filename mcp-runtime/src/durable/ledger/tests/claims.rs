//! Taking a round up, and waiting for it.

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
        Ledger, MemoryLedger,
        claims::{LEASE, TakenUp, Turn},
        record::{Lease, Record, Status},
    },
    Call, HOUR, SECOND, claimed, killed, replied,
};
use crate::call::lease::{ClaimError, LedgerError};

#[tokio::test(start_paused = true)]
async fn most_transitions_are_one_round_trip() {
    let call = Call::of(1);
    let claim = call.claim(1).await;
    assert_eq!(call.gate.trips(), 1);
    claim.pass(b"question").await.unwrap();
    assert_eq!(call.gate.trips(), 1);
    let claim = call.claim(2).await;
    assert_eq!(call.gate.trips(), 2, "a look, and a swap");
    claim.begin().await.unwrap();
    claim.finish(b"result").await.unwrap();
    assert_eq!(call.gate.trips(), 2);
    assert_eq!(call.reply(2).await, "result");
    assert_eq!(call.gate.trips(), 1);
}

#[tokio::test(start_paused = true)]
async fn sixteen_wait_and_the_next_is_told_when_to_come_again() {
    let call = Arc::new(Call::of(1));
    let claim = call.claim(1).await;
    let mut requests = JoinSet::new();
    for _ in 0..16 {
        let call = Arc::clone(&call);
        requests.spawn(async move { replied(&call.take_up(1).await.unwrap()) });
    }
    sleep(SECOND).await;
    let start = Instant::now();
    let seventeenth = call.take_up(1).await.unwrap();
    let TakenUp::Busy { retry_after } = seventeenth else { panic!("{seventeenth:?}") };
    assert!(start.elapsed().is_zero(), "it is told at once");
    assert!((SECOND / 4..=5 * SECOND).contains(&retry_after), "{retry_after:?}");
    claim.pass(b"question").await.unwrap();
    assert_eq!(requests.join_all().await, ["question"; 16]);
    assert!(call.instances[0].waiting.is_empty());
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_longer_than_thirty_seconds() {
    let call = Arc::new(Call::of(2));
    let claim = call.claim(1).await;
    let running = tokio::spawn(async move { claim.keep_alive(sleep(HOUR)).await });
    for instance in [0, 1] {
        let start = Instant::now();
        let taken_up = call.take_up_at(instance, 1).await;
        assert!(matches!(taken_up, TakenUp::Busy { .. }), "{taken_up:?}");
        assert_eq!(start.elapsed().as_secs(), 30);
    }
    running.abort();
}

/// Where the ledger need not be asked for it.
#[tokio::test(start_paused = true)]
async fn whoever_waits_in_the_same_process_is_told_at_once() {
    let call = Arc::new(Call::of(1));
    let claim = call.claim(1).await;
    let waits = tokio::spawn({
        let call = Arc::clone(&call);
        async move { (replied(&call.take_up(1).await.unwrap()), Instant::now()) }
    });
    sleep(10 * SECOND).await;
    let told = Instant::now();
    claim.pass(b"question").await.unwrap();
    assert_eq!(waits.await.unwrap(), ("question".to_owned(), told));
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_in_another_process_looks_again() {
    let call = Arc::new(Call::of(2));
    let claim = call.claim(1).await;
    let waits = tokio::spawn({
        let call = Arc::clone(&call);
        async move { (replied(&call.take_up_at(1, 1).await), Instant::now()) }
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
async fn given_back_a_round_goes_to_one_of_those_who_wait() {
    let call = Arc::new(Call::of(1));
    let claim = call.claim(1).await;
    let mut requests = JoinSet::new();
    for _ in 0..3 {
        let call = Arc::clone(&call);
        requests.spawn(async move {
            match call.take_up(1).await.unwrap() {
                TakenUp::Run(claim) => claim.pass(b"question").await.map(|()| "ran".to_owned()).unwrap(),
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
async fn a_claim_is_renewed_while_its_future_runs() {
    let call = Call::of(2);
    let claim = call.claim_at(0, 1).await;
    call.gate.trips();
    let other = async {
        sleep(HOUR - SECOND).await;
        assert!(matches!(call.take_up_at(1, 1).await, TakenUp::Busy { .. }));
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
async fn a_future_whose_claim_is_lost_is_ended() {
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
async fn what_has_begun_runs_to_its_end_whatever_the_ledger_says() {
    let call = Call::of(1);
    let claim = call.claim(1).await;
    claim.begin().await.unwrap();
    call.gate.shut(true);
    claim.keep_alive(sleep(2 * LEASE)).await.unwrap();
    call.gate.shut(false);
    claim.keep_alive(sleep(HOUR)).await.unwrap();

    // Somebody may begin it again, and does.
    advance(LEASE).await;
    let again = Turn { again: true, ..call.turn(1) };
    let other = claimed(call.instances[0].take_up(again, || true).await.unwrap());
    claim.keep_alive(sleep(LEASE)).await.unwrap();
    assert!(matches!(claim.finish(b"first result").await, Err(ClaimError::Lost)));
    other.finish(b"result").await.unwrap();
    assert_eq!(call.reply(1).await, "result");
}

#[tokio::test(start_paused = true)]
async fn what_passes_its_claim_on_inside_goes_on() {
    let call = Call::of(1);
    let claim = call.claim(1).await;
    let parked = claim.keep_alive(async {
        claim.pass(b"question").await.unwrap();
        sleep(HOUR).await;
        "parked"
    });
    assert_eq!(parked.await.unwrap(), "parked");
}

/// A timer would want a runtime.
#[test]
fn a_future_that_is_ready_at_once_needs_no_timer() {
    let call = Call::of(1);
    let mut cx = Context::from_waker(Waker::noop());
    assert!(pin!(async { call.claim(1).await.keep_alive(ready(1)).await }).poll(&mut cx).is_ready());
}

#[tokio::test(start_paused = true)]
async fn a_full_ledger_refuses_new_calls_and_no_others() {
    let call = Call::over(MemoryLedger::with_limits(1, 1 << 20), 1);
    let claim = call.claim(1).await;
    let other = Turn { key: super::LedgerKey::new(call.id, "call:2"), ..call.turn(1) };
    let taken_up = call.instances[0].take_up(other, || true).await;
    assert!(matches!(taken_up, Err(LedgerError::Full)), "{taken_up:?}");
    claim.finish(b"result").await.unwrap();
    sleep(2 * HOUR).await;
    killed(claimed(call.instances[0].take_up(other, || true).await.unwrap()));
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_is_too_large_is_not_kept() {
    let call = Call::of(1);
    call.claim(1).await.pass(&[b' '; 256 * 1024]).await.unwrap();
    assert_eq!(call.reply(1).await.len(), 256 * 1024);
    call.claim(2).await.pass(&[b' '; 256 * 1024 + 1]).await.unwrap();
    assert!(matches!(call.take_up(2).await, Ok(TakenUp::NotKept { done: false })));
    call.claim(3).await.finish(&[b' '; 256 * 1024 + 1]).await.unwrap();
    assert!(matches!(call.take_up(3).await, Ok(TakenUp::NotKept { done: true })));
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_the_ledger_has_no_room_for_is_not_kept() {
    let call = Call::over(MemoryLedger::with_limits(1, 2000), 1);
    call.claim(1).await.pass(&[b' '; 10_000]).await.unwrap();
    assert!(matches!(call.take_up(1).await, Ok(TakenUp::NotKept { done: false })));
    call.claim(2).await.finish(&[b' '; 10_000]).await.unwrap();
    assert!(matches!(call.take_up(2).await, Ok(TakenUp::NotKept { done: true })));
}

#[tokio::test(start_paused = true)]
async fn a_record_that_cannot_be_read_is_not_written_over() {
    let call = Call::of(1);
    let ledger = call.gate.ledger();
    ledger.swap(call.turn(1).key, None, b"\x09from the future"[..].into(), HOUR, None).await.unwrap();
    for round in [1, 2] {
        assert!(matches!(call.take_up(round).await, Err(LedgerError::Failed(_))));
    }
    let entry = ledger.load(call.turn(1).key).await.unwrap().unwrap();
    assert_eq!(*entry.value, *b"\x09from the future");
}

#[tokio::test(start_paused = true)]
async fn a_request_that_stops_waiting_leaves_nothing() {
    let call = Call::of(1);
    let claim = call.claim(1).await;
    {
        let mut waits = pin!(call.take_up(1));
        assert!(waits.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        assert!(!call.instances[0].waiting.is_empty());
    }
    assert!(call.instances[0].waiting.is_empty());
    yield_now().await;
    claim.pass(b"question").await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn leases_are_by_the_time_of_the_ledger() {
    let call = Call::of(1);
    killed(call.claim(1).await);
    let entry = call.gate.ledger().load(call.turn(1).key).await.unwrap().unwrap();
    let Status::Running(Lease { until, .. }) = Record::from_bytes(&entry.value).unwrap().status else { panic!() };
    assert_eq!(until, call.gate.now().after(LEASE));
    advance(LEASE).await;
    drop(call.claim(1).await);
}

/// Whatever has become of its record.
#[tokio::test(start_paused = true)]
async fn a_state_past_its_time_is_refused_in_the_swap_that_would_take_up_its_round() {
    let call = Call::of(1);
    let turn = Turn { expires: Some(call.gate.now().after(SECOND)), keep: SECOND / 2, ..call.turn(1) };
    let take_up = async || call.instances[0].take_up(turn, || true).await.unwrap();
    claimed(take_up().await).finish(b"result").await.unwrap();
    sleep(SECOND - Duration::from_millis(1)).await;
    assert_eq!(replied(&take_up().await), "result", "the record is kept as long as the state is good");
    sleep(Duration::from_millis(2)).await;
    assert!(matches!(take_up().await, TakenUp::Gone));
    assert_eq!(call.gate.ledger().load(turn.key).await.unwrap(), None);
    // Nobody's estimate counts.
    call.gate.lag(HOUR);
    call.gate.trips();
    assert!(matches!(take_up().await, TakenUp::Gone));
    assert_eq!(call.gate.trips(), 1, "by the ledger");
}

/// Another instance has the future; what the call has said already is told anywhere.
#[tokio::test(start_paused = true)]
async fn an_instance_that_cannot_run_a_round_claims_nothing_and_knows_the_replies() {
    let call = Call::of(2);
    let elsewhere = async |round| call.instances[1].take_up(call.turn(round), || false).await.unwrap();
    assert!(matches!(elsewhere(1).await, TakenUp::NotHere));
    let claim = call.claim(1).await;
    let (waits, ()) = tokio::join!(elsewhere(1), async {
        sleep(10 * SECOND).await;
        claim.pass(b"question").await.unwrap();
    });
    assert_eq!(replied(&waits), "question");
    assert!(matches!(elsewhere(2).await, TakenUp::NotHere));
    call.claim(2).await.finish(b"result").await.unwrap();
    assert_eq!(replied(&elsewhere(2).await), "result");
}
