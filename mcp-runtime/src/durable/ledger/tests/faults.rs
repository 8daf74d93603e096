//! What is promised fault by fault, as far as the record decides it.

use std::sync::Arc;

use tokio::{
    task::JoinSet,
    time::{Instant, advance, sleep},
};

use super::{
    super::{
        MemoryLedger,
        claims::{LEASE, TakenUp, Turn},
    },
    Call, HOUR, SECOND, claimed, killed, replied,
};
use crate::call::lease::{ClaimError, LedgerError};

#[tokio::test(start_paused = true)]
async fn first_request_repeated_with_an_idempotency_key() {
    let call = Call::of(2);
    let first = |round| Turn { first: 0, ..call.turn(round) };
    let claim = claimed(call.instances[0].take_up(first(0), || true).await.unwrap());
    claim.pass(b"question").await.unwrap();
    for instance in &call.instances {
        assert_eq!(replied(&instance.take_up(first(0), || true).await.unwrap()), "question");
    }
    let claim = claimed(call.instances[1].take_up(first(1), || true).await.unwrap());
    claim.finish(b"result").await.unwrap();
    for round in [0, 1] {
        assert_eq!(replied(&call.instances[0].take_up(first(round), || true).await.unwrap()), "result");
    }
}

#[tokio::test(start_paused = true)]
async fn reply_of_round_n_lost_and_the_same_state_again_ten_times() {
    let call = Call::of(2);
    call.claim(1).await.pass(b"second question").await.unwrap();
    for instance in [0, 1].repeat(5) {
        assert_eq!(replied(&call.take_up_at(instance, 1).await), "second question");
    }
    call.claim_at(1, 2).await.finish(b"result").await.unwrap();
    for round in [1, 2].repeat(5) {
        assert_eq!(call.reply(round).await, "result");
    }
}

#[tokio::test(start_paused = true)]
async fn eight_duplicates_at_once() {
    let call = Arc::new(Call::of(2));
    let mut requests = JoinSet::new();
    for number in 0..8 {
        let call = Arc::clone(&call);
        requests.spawn(async move {
            match call.take_up_at(number % 2, 1).await {
                TakenUp::Run(claim) => {
                    claim.keep_alive(sleep(3 * SECOND)).await.unwrap();
                    claim.pass(format!("question of {number}").as_bytes()).await.unwrap();
                    None
                }
                other => Some(replied(&other)),
            }
        });
    }
    let mut replies = requests.join_all().await;
    replies.sort();
    assert_eq!(replies.iter().filter(|reply| reply.is_none()).count(), 1, "one runs");
    assert!(replies[1].is_some() && replies[1..].iter().all(|reply| *reply == replies[1]), "{replies:?}");
}

#[tokio::test(start_paused = true)]
async fn same_state_other_answers() {
    let call = Call::of(1);
    call.claim(1).await.pass(b"you said yes").await.unwrap();
    assert_eq!(call.reply(1).await, "you said yes", "the first answer wins, whatever this one says");
}

#[tokio::test(start_paused = true)]
async fn cancel_or_disconnect_before_after_began() {
    let call = Call::of(2);
    for instance in [0, 1, 0] {
        let claim = call.claim_at(instance, 1).await;
        claim.begin_step("read", true).await.unwrap();
        claim.release().await.unwrap();
        drop(call.claim_at(instance, 1).await);
    }
    call.claim(1).await.pass(b"question").await.unwrap();
    drop(call.claim(2).await);
    assert_eq!(call.reply(1).await, "question", "its reply is the latest still");
    call.claim(2).await.finish(b"result").await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn cancel_or_disconnect_while_after_runs() {
    let call = Arc::new(Call::of(2));
    let claim = call.claim(1).await;
    claim.begin().await.unwrap();
    claim.release().await.unwrap();
    let detached = tokio::spawn(async move {
        claim.keep_alive(sleep(20 * SECOND)).await.unwrap();
        claim.finish(b"booked").await.unwrap();
    });
    for instance in [0, 1] {
        assert_eq!(replied(&call.take_up_at(instance, 1).await), "booked");
    }
    detached.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn process_dies_between_rounds() {
    let call = Call::of(2);
    call.claim_at(0, 1).await.pass(b"question").await.unwrap();
    call.claim_at(1, 2).await.finish(b"result").await.unwrap();

    let restarted = Call::over(MemoryLedger::new(), 1);
    assert_ne!(restarted.id, call.id, "its states are refused by name before anything is claimed");
    for round in [1, 2] {
        let taken_up = restarted.instances[0].take_up(call.turn(round), || true).await;
        assert!(matches!(taken_up, Err(LedgerError::Replaced)), "{taken_up:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn process_dies_in_mid_round_after_not_begun() {
    let call = Call::of(2);
    killed(call.claim_at(0, 1).await);
    advance(10 * SECOND).await;
    let start = Instant::now();
    let claim = call.claim_at(1, 1).await;
    let waited = start.elapsed();
    assert!(19 * SECOND < waited && waited <= 20 * SECOND + SECOND / 100, "{waited:?}");
    claim.begin().await.unwrap();
    claim.finish(b"result").await.unwrap();
    assert_eq!(call.reply(1).await, "result");
}

#[tokio::test(start_paused = true)]
async fn process_dies_after_begun_before_done() {
    let call = Call::of(2);
    let claim = call.claim(1).await;
    claim.begin().await.unwrap();
    killed(claim);
    let start = Instant::now();
    for instance in [1, 0, 1] {
        let taken_up = call.take_up_at(instance, 1).await;
        assert!(matches!(taken_up, TakenUp::UnknownOutcome), "{taken_up:?}");
    }
    assert!(start.elapsed() <= LEASE + SECOND / 100, "{:?}", start.elapsed());

    // Tools that are idempotent run again.
    let again = Turn { again: true, ..call.turn(1) };
    let claim = claimed(call.instances[1].take_up(again, || true).await.unwrap());
    claim.begin().await.unwrap();
    claim.finish(b"result").await.unwrap();
    assert_eq!(call.reply(1).await, "result");
}

#[tokio::test(start_paused = true)]
async fn instance_stalls_past_its_lease_and_wakes() {
    let call = Call::of(2);
    let stalled = call.claim_at(0, 1).await;
    advance(LEASE).await;
    let other = call.claim_at(1, 1).await;
    for written in [
        stalled.begin().await,
        stalled.pass(b"question of the one that stalled").await,
        stalled.finish(b"result of the one that stalled").await,
        stalled.release().await,
        stalled.begin_step("charge", true).await.map(drop),
        stalled.end_step("charge", b"receipt").await,
    ] {
        assert!(matches!(written, Err(ClaimError::Lost)), "{written:?}");
    }
    drop(stalled);
    other.begin().await.unwrap();
    other.finish(b"result").await.unwrap();
    assert_eq!(replied(&call.take_up_at(0, 1).await), "result");
}

/// Nobody has taken over, so the outcome is known again.
#[tokio::test(start_paused = true)]
async fn instance_stalls_past_its_lease_in_after_and_wakes() {
    let call = Call::of(2);
    let stalled = call.claim_at(0, 1).await;
    stalled.begin().await.unwrap();
    advance(2 * LEASE).await;
    assert!(matches!(call.take_up_at(1, 1).await, TakenUp::UnknownOutcome));
    stalled.finish(b"result").await.unwrap();
    assert_eq!(replied(&call.take_up_at(1, 1).await), "result");
}

#[tokio::test(start_paused = true)]
async fn next_round_on_another_instance() {
    let call = Call::of(3);
    for round in 1..=20 {
        let claim = call.claim_at(round as usize % 3, round).await;
        claim.pass(format!("question {round}").as_bytes()).await.unwrap();
        assert_eq!(replied(&call.take_up_at(0, 1).await), format!("question {round}"));
    }
}

#[tokio::test(start_paused = true)]
async fn ledger_away() {
    let call = Call::of(1);
    call.gate.shut(true);
    let taken_up = call.take_up(1).await;
    assert!(matches!(taken_up, Err(LedgerError::Failed(_))), "{taken_up:?}");
    call.gate.shut(false);
    let claim = call.claim(1).await;
    call.gate.shut(true);
    assert!(matches!(claim.begin().await, Err(ClaimError::Ledger(LedgerError::Failed(_)))), "not begun");
    call.gate.shut(false);
    drop(claim);
    call.claim(1).await.pass(b"question").await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn ledger_emptied() {
    let call = Call::of(1);
    call.claim(1).await.finish(b"result").await.unwrap();
    call.gate.replace(MemoryLedger::new());
    let taken_up = call.take_up(1).await;
    assert!(matches!(taken_up, Err(LedgerError::Replaced)), "never again: {taken_up:?}");
}

/// Somebody emptied the store and left its id.
#[tokio::test(start_paused = true)]
async fn a_record_lost_behind_our_back() {
    let call = Call::of(1);
    for round in [2, 3] {
        assert!(matches!(call.take_up(round).await, Ok(TakenUp::Gone)));
    }
}

#[tokio::test(start_paused = true)]
async fn the_record_outlives_every_state_of_its_call() {
    let call = Call::of(1);
    call.claim(1).await.pass(b"question").await.unwrap();
    advance(HOUR / 2).await;
    call.claim(2).await.finish(b"result").await.unwrap();
    advance(HOUR - SECOND).await;
    assert_eq!(call.reply(1).await, "result");
    sleep(20 * SECOND).await;
    assert_eq!(call.gate.ledger().entries(), 0);
}
