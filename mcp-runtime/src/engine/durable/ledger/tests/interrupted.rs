//! Tests of transitions that are dropped or fail half-way.

use std::{
    pin::pin,
    task::{Context, Waker},
};

use tokio::{task::yield_now, time::Instant};

use super::{super::claim::ClaimOutcome, Call, SECOND, gate::Fault};
use crate::engine::call::lease::{ClaimError, LedgerError, StepTurn};

/// Polls a future at most `times` times. Returns its output if it completes.
async fn polled<T>(times: usize, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    for _ in 0..times {
        if let std::task::Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return Some(output);
        }
        // Lets tasks run that wake the future, like `yield_now` does.
        yield_now().await;
    }
    None
}

#[tokio::test(start_paused = true)]
async fn request_dropped_before_anything_began_releases_the_round() {
    let mut through = 0;
    for polls in 1..30 {
        let call = Call::of(1);
        call.gate.slow();
        let began = polled(polls, async {
            let claim = call.claim(1).await;
            claim.begin_step("read", true).await.unwrap();
            claim.begin().await.unwrap();
        });
        if began.await.is_some() {
            through += 1;
            continue;
        }
        let start = Instant::now();
        let claim = call.claim(1).await;
        assert!(start.elapsed() < 2 * SECOND, "{polls} polls, then {:?}", start.elapsed());
        claim.begin().await.unwrap();
        claim.finish(b"result").await.unwrap();
    }
    assert!(1 < through && through < 28, "{through}");
}

#[tokio::test(start_paused = true)]
async fn interrupted_reply_is_recorded_or_the_round_is_open() {
    let mut outcomes = [0; 2];
    for polls in 1..10 {
        let call = Call::of(1);
        let claim = call.claim(1).await;
        call.gate.slow();
        polled(polls, claim.pass(b"question")).await;
        drop(claim);
        for _ in 0..20 {
            yield_now().await;
        }
        let start = Instant::now();
        match call.try_claim(1).await.unwrap() {
            ClaimOutcome::Run(_) => outcomes[0] += 1,
            ClaimOutcome::Reply(_) => outcomes[1] += 1,
            other => panic!("{polls} polls, then {other:?}"),
        }
        assert!(start.elapsed().is_zero(), "no request waits for a lease");
    }
    assert!(outcomes.iter().all(|count| 0 < *count), "{outcomes:?}");
}

/// A step is dropped before it began, for example, if it is in the losing branch of a `select!`.
#[tokio::test(start_paused = true)]
async fn step_dropped_before_it_began_can_begin_in_a_later_round() {
    let mut dropped = 0;
    for polls in 1..8 {
        let call = Call::of(1);
        let claim = call.claim(1).await;
        call.gate.slow();
        if polled(polls, claim.begin_step("charge", false)).await.is_some() {
            break;
        }
        dropped += 1;
        claim.pass(b"question").await.unwrap();
        let claim = call.claim(2).await;
        assert_eq!(claim.begin_step("charge", false).await.unwrap(), StepTurn::Run, "after {polls} polls");
    }
    assert_eq!(dropped, 2);
}

#[tokio::test(start_paused = true)]
async fn holder_recognizes_a_swap_whose_reply_was_lost() {
    for fault in [Fault::Done, Fault::Undone] {
        let call = Call::of(1);
        let twice = || call.gate.fail([fault, fault]);
        twice();
        let claim = call.claim(1).await;
        twice();
        assert_eq!(claim.begin_step("charge", false).await.unwrap(), StepTurn::Run);
        twice();
        claim.end_step("charge", b"receipt").await.unwrap();
        twice();
        claim.release().await.unwrap();
        let claim = call.claim(1).await;
        twice();
        claim.pass(b"question").await.unwrap();
        let claim = call.claim(2).await;
        twice();
        claim.begin().await.unwrap();
        twice();
        claim.finish(b"result").await.unwrap();
        assert_eq!(call.reply(2).await, "result");
    }
}

#[tokio::test(start_paused = true)]
async fn begin_with_an_unknown_result_does_not_block_the_call() {
    for fault in [Fault::Done, Fault::Undone] {
        let call = Call::of(1);
        let claim = call.claim(1).await;
        call.gate.fail([fault; 3]);
        assert!(matches!(claim.begin().await, Err(ClaimError::Ledger(LedgerError::Failed(_)))));
        drop(claim);
        let start = Instant::now();
        call.claim(1).await.finish(b"result").await.unwrap();
        assert!(start.elapsed().is_zero());
    }
}

#[tokio::test(start_paused = true)]
async fn claim_with_an_unknown_result_is_released() {
    let call = Call::of(1);
    call.gate.fail([Fault::Done; 3]);
    let outcome = call.try_claim(1).await;
    assert!(matches!(outcome, Err(LedgerError::Failed(_))), "{outcome:?}");
    let start = Instant::now();
    drop(call.claim(1).await);
    assert!(start.elapsed().is_zero());
}
