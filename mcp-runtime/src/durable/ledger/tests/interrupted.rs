//! Transitions that are dropped or fail half-way.

use std::{
    pin::pin,
    task::{Context, Waker},
};

use tokio::{task::yield_now, time::Instant};

use super::{
    super::{claim::Claim, claims::TakenUp},
    Call, SECOND,
    gate::Fault,
};
use crate::call::lease::{ClaimError, LedgerError, StepTurn};

/// Polls a future so many times at most; what it gave, if it came so far.
async fn polled<T>(times: usize, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    for _ in 0..times {
        if let std::task::Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return Some(output);
        }
        // Where it is woken by itself, as by `yield_now`.
        yield_now().await;
    }
    None
}

#[tokio::test(start_paused = true)]
async fn a_request_dropped_before_anything_began_gives_the_round_back_wherever_it_was() {
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
async fn a_reply_dropped_on_its_way_is_recorded_or_the_round_is_open() {
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
        match call.take_up(1).await.unwrap() {
            TakenUp::Run(_) => outcomes[0] += 1,
            TakenUp::Reply(_) => outcomes[1] += 1,
            other => panic!("{polls} polls, then {other:?}"),
        }
        assert!(start.elapsed().is_zero(), "nobody waits for a lease");
    }
    assert!(outcomes.iter().all(|count| 0 < *count), "{outcomes:?}");
}

/// As of a step in the losing half of a `select!`.
#[tokio::test(start_paused = true)]
async fn a_step_dropped_before_it_began_has_not_begun_for_later_rounds() {
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
async fn a_swap_whose_answer_is_lost_is_known_by_its_holder() {
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
async fn a_begin_of_which_nothing_is_known_does_not_block_the_call() {
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
async fn a_claim_of_which_nothing_is_known_is_given_back() {
    let call = Call::of(1);
    call.gate.fail([Fault::Done; 3]);
    let taken_up = call.take_up(1).await;
    assert!(matches!(taken_up, Err(LedgerError::Failed(_))), "{taken_up:?}");
    let start = Instant::now();
    drop::<Claim>(call.claim(1).await);
    assert!(start.elapsed().is_zero());
}
