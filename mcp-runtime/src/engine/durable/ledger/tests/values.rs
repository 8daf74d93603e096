//! Records that a ledger in memory keeps as values. Other users of the same ledger see them as bytes.

use std::sync::Arc;

use super::{
    super::{
        Ledger as _, MemoryLedger, RecordKey, Swapped,
        claim::{ClaimOutcome, Claims},
        record::{LEASE, Record, Status},
    },
    Call, HOUR, at_once, claimed, replied,
};
use crate::engine::call::{
    call_id::CallId,
    entry_slice::EntrySlice,
    lease::{ClaimError, LedgerError, StepTurn},
};

/// Creates a call with two instances. The first one keeps its records as values, the second one as bytes.
fn call(ledger: &MemoryLedger) -> Call {
    let mut call = Call::over(ledger.clone(), 1);
    call.instances.insert(0, Claims::new(Arc::new(ledger.clone()), LEASE, None));
    call
}

#[tokio::test(start_paused = true)]
async fn record_is_the_same_as_a_value_and_as_bytes() {
    let ledger = MemoryLedger::new();
    let call = call(&ledger);
    let claim = call.claim_at(0, 1).await;
    claim.begin_step("charge", false).await.unwrap();
    claim.end_step("charge", b"receipt").await.unwrap();
    claim.pass(b"question").await.unwrap();
    for instance in [0, 1] {
        assert_eq!(replied(&call.try_claim_at(instance, 1).await), "question");
    }
    let done = StepTurn::Done(EntrySlice::from(&b"receipt"[..]));
    let claim = call.claim_at(1, 2).await;
    assert_eq!(claim.begin_step("charge", false).await.unwrap(), done);
    claim.pass(b"second question").await.unwrap();
    let claim = call.claim_at(0, 3).await;
    assert_eq!(claim.begin_step("charge", false).await.unwrap(), done);
    claim.begin().await.unwrap();
    claim.finish(b"result").await.unwrap();
    for instance in [0, 1] {
        assert_eq!(replied(&call.try_claim_at(instance, 2).await), "result");
    }
    ledger.evict_all();
    for instance in [0, 1] {
        let outcome = call.try_claim_at(instance, 3).await;
        assert!(matches!(outcome, ClaimOutcome::NotKept { done: true }), "{outcome:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn holder_of_a_value_loses_its_lease_to_a_holder_of_bytes() {
    for [first, second] in [[0, 1], [1, 0]] {
        let ledger = MemoryLedger::new();
        let call = call(&ledger);
        let stalled = call.claim_at(first, 1).await;
        tokio::time::advance(LEASE).await;
        let other = call.claim_at(second, 1).await;
        assert!(matches!(stalled.begin().await, Err(ClaimError::Lost)));
        drop(stalled);
        other.finish(b"result").await.unwrap();
        assert_eq!(replied(&call.try_claim_at(first, 1).await), "result");
    }
}

/// The test has no async runtime, so a task would panic.
#[test]
fn dropped_claim_on_a_value_is_released_at_once() {
    let ledger = MemoryLedger::new();
    let call = call(&ledger);
    drop(at_once(call.claim_at(0, 1)));
    let entry = at_once(ledger.load(call.key())).unwrap().unwrap();
    assert_eq!(Record::from_bytes(&entry.value).unwrap().status, Status::Open);
}

#[tokio::test(start_paused = true)]
async fn value_is_checked_like_bytes() {
    let ledger = MemoryLedger::with_limits(1, 1 << 20);
    let call = call(&ledger);
    let other = Call::of(1);
    let replaced = call.instances[0].claim_round(other.turn(1), || true).await;
    assert!(matches!(replaced, Err(LedgerError::Replaced)), "{replaced:?}");

    claimed(call.try_claim_at(0, 1).await).pass(b"question").await.unwrap();
    let mut second = call.turn(1);
    second.key = RecordKey { ledger: call.id, call: CallId(2, 2) };
    let full = call.instances[0].claim_round(second, || true).await;
    assert!(matches!(full, Err(LedgerError::Full)), "{full:?}");
    let room = call.instances[0].room().unwrap();
    assert_eq!(room.entries, 0);

    let written = ledger.swap(call.key(), None, Arc::default(), HOUR, None).await.unwrap();
    assert!(matches!(written, Swapped::Conflict(Some(_))), "{written:?}");
}

#[tokio::test(start_paused = true)]
async fn count_of_values_is_not_less_than_their_memory() {
    let ledger = MemoryLedger::new();
    let call = call(&ledger);
    for number in 0..10_000 {
        let mut turn = call.turn(1);
        turn.key.call = CallId(number, number);
        let claim = claimed(call.instances[0].claim_round(turn, || true).await.unwrap());
        claim.pass_with_journal(&[7; 1000], &[7; 100]).await.unwrap();
    }
    assert!(ledger.allocated() <= ledger.bytes(), "{} bytes, {} counted", ledger.allocated(), ledger.bytes());
}
