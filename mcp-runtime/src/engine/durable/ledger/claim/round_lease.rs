//! The lease on a round.

use std::{
    future::poll_fn,
    ops::Deref,
    pin::pin,
    task::{Context, Poll, Waker},
};

use super::state::ClaimState;
use crate::engine::{
    call::{
        lease::{ClaimError, RoundLease, StepTurn, Transition},
        ledger_time::LedgerTime,
    },
    durable::ledger::LedgerVersion,
};

/// The lease on one round. If the claim is dropped before an effect has begun, the round is released.
///
/// Every transition of the claim is one compare-and-swap against the version last seen. If the future of a transition
/// is dropped before it completes, the next transition finds out whether the swap took effect.
///
/// The state is `None` only after the claim was dropped, while another task releases the round.
#[derive(Debug)]
pub(crate) struct Claim(Option<ClaimState>);

impl Claim {
    pub(super) fn new(state: ClaimState) -> Self {
        Self(Some(state))
    }

    /// Sets the version that the ledger gave to the written record.
    pub(super) fn is_written(&mut self, version: LedgerVersion) {
        self.0.iter_mut().for_each(|state| state.is_written(version));
    }

    /// Runs the future, and renews the lease while the future runs. Fails if the lease is lost before an effect has
    /// begun.
    pub(crate) async fn keep_alive<F: Future>(&self, future: F) -> Result<F::Output, ClaimError> {
        let mut future = pin!(future);
        let mut lost = pin!(self.lost());
        poll_fn(|cx| match future.as_mut().poll(cx) {
            Poll::Ready(output) => Poll::Ready(Ok(output)),
            Poll::Pending => lost.as_mut().poll(cx).map(Err),
        })
        .await
    }
}

/// The transitions of the claim.
impl Deref for Claim {
    type Target = ClaimState;

    fn deref(&self) -> &ClaimState {
        self.0.as_ref().expect("taken only by `drop`")
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let Some(state) = self.0.take_if(|state| !state.is_over()) else { return };
        // If the release fails, the round is free when the lease expires.
        let mut release = Box::pin(async move { drop(state.release().await) });
        // A ledger in memory completes the release in this poll.
        if release.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            drop(runtime.spawn(release));
        }
    }
}

impl RoundLease for Claim {
    fn now(&self) -> LedgerTime {
        ClaimState::now(self)
    }

    fn hold_begin(&self) -> Transition<'_, ()> {
        Box::pin(self.begin())
    }

    fn hold_begin_step<'a>(&'a self, key: &'a str, again: bool) -> Transition<'a, StepTurn> {
        Box::pin(self.begin_step(key, again))
    }

    fn hold_end_step<'a>(&'a self, key: &'a str, value: &'a [u8]) -> Transition<'a, ()> {
        Box::pin(self.end_step(key, value))
    }
}
