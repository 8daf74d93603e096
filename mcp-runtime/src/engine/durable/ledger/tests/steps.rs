//! Tests of the steps of a round.

use tokio::time::advance;

use super::{
    super::{MemoryLedger, record::LARGEST_STEPS},
    Call, killed,
};
use crate::engine::{
    call::{
        entry_slice::EntrySlice,
        lease::{ClaimError, StepTurn},
    },
    durable::ledger::record::LEASE,
};

#[tokio::test(start_paused = true)]
async fn step_runs_once_across_rounds_and_takeovers() {
    let call = Call::of(2);
    let claim = call.claim_at(0, 1).await;
    assert_eq!(claim.begin_step("charge", false).await.unwrap(), StepTurn::Run);
    claim.end_step("charge", b"receipt").await.unwrap();
    let done = StepTurn::Done(EntrySlice::from(&b"receipt"[..]));
    assert_eq!(claim.begin_step("charge", false).await.unwrap(), done);
    killed(claim);

    let claim = call.claim_at(1, 1).await;
    assert_eq!(claim.begin_step("charge", false).await.unwrap(), done, "after a takeover");
    claim.pass(b"question").await.unwrap();
    let claim = call.claim_at(0, 2).await;
    assert_eq!(claim.begin_step("charge", false).await.unwrap(), done, "in a later round");
    assert_eq!(claim.begin_step("ship", false).await.unwrap(), StepTurn::Run);
    drop(claim);
    let claim = call.claim_at(1, 2).await;
    assert_eq!(claim.begin_step("charge", false).await.unwrap(), done, "after a release");
}

#[tokio::test(start_paused = true)]
async fn begun_step_without_a_value_has_an_unknown_outcome() {
    let call = Call::of(1);
    let claim = call.claim(1).await;
    claim.begin_step("charge", false).await.unwrap();
    killed(claim);
    let claim = call.claim(1).await;
    for _ in 0..2 {
        assert_eq!(claim.begin_step("charge", false).await.unwrap(), StepTurn::UnknownOutcome);
    }
    assert_eq!(claim.begin_step("charge", true).await.unwrap(), StepTurn::Run, "an idempotent step runs again");
}

#[tokio::test(start_paused = true)]
async fn step_under_a_lost_claim_neither_begins_nor_ends() {
    let call = Call::of(2);
    let stalled = call.claim_at(0, 1).await;
    stalled.begin_step("read", false).await.unwrap();
    advance(LEASE).await;
    let other = call.claim_at(1, 1).await;
    assert!(matches!(stalled.begin_step("charge", false).await, Err(ClaimError::Lost)));
    assert!(matches!(stalled.end_step("read", b"page").await, Err(ClaimError::Lost)));
    assert_eq!(other.begin_step("read", false).await.unwrap(), StepTurn::UnknownOutcome);
    assert_eq!(other.begin_step("charge", false).await.unwrap(), StepTurn::Run);
}

#[tokio::test(start_paused = true)]
async fn does_not_store_a_value_that_is_too_large() {
    let call = Call::of(1);
    let claim = call.claim(1).await;
    claim.begin_step("large", false).await.unwrap();
    claim.end_step("large", &vec![0; LARGEST_STEPS]).await.unwrap();
    killed(claim);
    let claim = call.claim(1).await;
    assert_eq!(claim.begin_step("large", false).await.unwrap(), StepTurn::NotKept);

    let call = Call::over(MemoryLedger::with_limits(1, 2000), 1);
    let claim = call.claim(1).await;
    claim.begin_step("large", false).await.unwrap();
    claim.end_step("large", &[0; 10_000]).await.unwrap();
    assert_eq!(claim.begin_step("large", false).await.unwrap(), StepTurn::NotKept, "the ledger has no room for it");
}

#[tokio::test(start_paused = true)]
async fn number_of_steps_is_limited_by_the_record() {
    let call = Call::of(1);
    let claim = call.claim(1).await;
    let name = |number: u32| format!("{number:01000}");
    let mut number = 0;
    while claim.begin_step(&name(number), false).await.is_ok() {
        number += 1;
    }
    assert_eq!(number, 260);
    assert!(matches!(
        claim.begin_step("one more of the same length".repeat(40).as_str(), false).await,
        Err(ClaimError::TooManySteps)
    ));
    claim.pass(b"question").await.unwrap();
}
