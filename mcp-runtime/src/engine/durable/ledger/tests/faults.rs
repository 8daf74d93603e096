//! The guarantees for each kind of fault, as far as the record decides them.

use std::sync::Arc;

use tokio::{
    task::JoinSet,
    time::{Instant, advance, sleep},
};

use super::{
    super::{
        MemoryLedger,
        claim::{ClaimOutcome, Turn},
    },
    Call, HOUR, SECOND, claimed, killed, replied,
};
use crate::engine::{
    call::lease::{ClaimError, LedgerError},
    durable::ledger::record::LEASE,
};

#[tokio::test(start_paused = true)]
async fn repeated_first_request_with_an_idempotency_key_gets_the_recorded_reply() {
    let call = Call::of(2);
    let first = |round| Turn { first: 0, ..call.turn(round) };
    let claim = claimed(call.instances[0].claim_round(first(0), || true).await.unwrap());
    claim.pass(b"question").await.unwrap();
    for instance in &call.instances {
        assert_eq!(replied(&instance.claim_round(first(0), || true).await.unwrap()), "question");
    }
    let claim = claimed(call.instances[1].claim_round(first(1), || true).await.unwrap());
    claim.finish(b"result").await.unwrap();
    for round in [0, 1] {
        assert_eq!(replied(&call.instances[0].claim_round(first(round), || true).await.unwrap()), "result");
    }
}

#[tokio::test(start_paused = true)]
async fn request_whose_reply_was_lost_gets_the_same_reply_again() {
    let call = Call::of(2);
    call.claim(1).await.pass(b"second question").await.unwrap();
    for instance in [0, 1].repeat(5) {
        assert_eq!(replied(&call.try_claim_at(instance, 1).await), "second question");
    }
    call.claim_at(1, 2).await.finish(b"result").await.unwrap();
    for round in [1, 2].repeat(5) {
        assert_eq!(call.reply(round).await, "result");
    }
}

#[tokio::test(start_paused = true)]
async fn one_of_eight_concurrent_duplicates_runs() {
    let call = Arc::new(Call::of(2));
    let mut requests = JoinSet::new();
    for number in 0..8 {
        let call = Arc::clone(&call);
        requests.spawn(async move {
            match call.try_claim_at(number % 2, 1).await {
                ClaimOutcome::Run(claim) => {
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
async fn first_answer_to_a_state_wins() {
    let call = Call::of(1);
    call.claim(1).await.pass(b"you said yes").await.unwrap();
    assert_eq!(call.reply(1).await, "you said yes", "the first answer wins, whatever the second one says");
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
    assert_eq!(call.reply(1).await, "question", "its reply is still the latest");
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
        assert_eq!(replied(&call.try_claim_at(instance, 1).await), "booked");
    }
    detached.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn process_dies_between_rounds() {
    let call = Call::of(2);
    call.claim_at(0, 1).await.pass(b"question").await.unwrap();
    call.claim_at(1, 2).await.finish(b"result").await.unwrap();

    let restarted = Call::over(MemoryLedger::new(), 1);
    assert_ne!(restarted.id, call.id, "its states are rejected before anything is claimed");
    for round in [1, 2] {
        let outcome = restarted.instances[0].claim_round(call.turn(round), || true).await;
        assert!(matches!(outcome, Err(LedgerError::Replaced)), "{outcome:?}");
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
        let outcome = call.try_claim_at(instance, 1).await;
        assert!(matches!(outcome, ClaimOutcome::UnknownOutcome), "{outcome:?}");
    }
    assert!(start.elapsed() <= LEASE + SECOND / 100, "{:?}", start.elapsed());

    // Idempotent tools run again.
    let again = Turn { again: true, ..call.turn(1) };
    let claim = claimed(call.instances[1].claim_round(again, || true).await.unwrap());
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
    assert_eq!(replied(&call.try_claim_at(0, 1).await), "result");
}

/// No other instance has taken over the round, so the outcome becomes known when the instance wakes.
#[tokio::test(start_paused = true)]
async fn instance_stalls_past_its_lease_in_after_and_wakes() {
    let call = Call::of(2);
    let stalled = call.claim_at(0, 1).await;
    stalled.begin().await.unwrap();
    advance(2 * LEASE).await;
    assert!(matches!(call.try_claim_at(1, 1).await, ClaimOutcome::UnknownOutcome));
    stalled.finish(b"result").await.unwrap();
    assert_eq!(replied(&call.try_claim_at(1, 1).await), "result");
}

#[tokio::test(start_paused = true)]
async fn next_round_on_another_instance() {
    let call = Call::of(3);
    for round in 1..=20 {
        let claim = call.claim_at(round as usize % 3, round).await;
        claim.pass(format!("question {round}").as_bytes()).await.unwrap();
        assert_eq!(replied(&call.try_claim_at(0, 1).await), format!("question {round}"));
    }
}

#[tokio::test(start_paused = true)]
async fn ledger_unavailable() {
    let call = Call::of(1);
    call.gate.shut(true);
    let outcome = call.try_claim(1).await;
    assert!(matches!(outcome, Err(LedgerError::Failed(_))), "{outcome:?}");
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
    let outcome = call.try_claim(1).await;
    assert!(matches!(outcome, Err(LedgerError::Replaced)), "never again: {outcome:?}");
}

/// The store was emptied, but kept the same id.
#[tokio::test(start_paused = true)]
async fn record_lost_under_the_same_id() {
    let call = Call::of(1);
    for round in [2, 3] {
        assert!(matches!(call.try_claim(round).await, Ok(ClaimOutcome::Gone)));
    }
}

#[tokio::test(start_paused = true)]
async fn record_outlives_every_state_of_its_call() {
    let call = Call::of(1);
    call.claim(1).await.pass(b"question").await.unwrap();
    advance(HOUR / 2).await;
    call.claim(2).await.finish(b"result").await.unwrap();
    advance(HOUR - SECOND).await;
    assert_eq!(call.reply(1).await, "result");
    sleep(20 * SECOND).await;
    assert_eq!(call.gate.ledger().entries(), 0);
}
