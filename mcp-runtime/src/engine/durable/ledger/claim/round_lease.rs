//! The lease on a round.

use std::{
    future::poll_fn,
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use super::{
    claims::{Claims, Turn},
    state::ClaimState,
};
use crate::engine::{
    call::{
        hold::{ClaimError, Hold, LedgerError, StepTurn, Transition},
        stored::Stored,
    },
    durable::ledger::{
        LedgerEntry, LedgerVersion, Swapped,
        record::{Kept, Record},
    },
};

/// The lease on one round. If the claim is dropped before an effect has begun, the round is released.
///
/// Every transition of the claim is one compare-and-swap against the version last seen. If the future of a transition
/// is dropped before it completes, the next transition finds out whether the swap took effect.
#[derive(Debug)]
pub(crate) struct Claim(Arc<ClaimState>);

/// The reason why the claim was not written to the ledger.
pub(super) enum NotWritten {
    /// Another writer changed the entry. This value holds the current entry.
    Conflict(Option<LedgerEntry>),
    /// The state has expired.
    TooLate,
}

impl Claim {
    /// Writes the claim to the ledger, or returns why the claim was not written.
    pub(super) async fn take(
        claims: &Arc<Claims>,
        turn: &Turn<'_>,
        seen: Option<LedgerVersion>,
        record: Record,
        holder: u64,
    ) -> Result<Result<Self, NotWritten>, LedgerError> {
        let bytes = record.to_bytes();
        // Created before the swap. If the swap is dropped or fails half-way, dropping the claim releases the round.
        let claim = Self(Arc::new(ClaimState::new(Arc::clone(claims), turn, holder, seen, record)));
        match claims.swap(turn.key, seen, bytes, turn.keep, turn.expires).await {
            Ok(Swapped::Done(version)) => {
                claim.0.is_written(version).await;
                Ok(Ok(claim))
            }
            Ok(Swapped::Conflict(entry)) => {
                claim.0.abandon();
                Ok(Err(NotWritten::Conflict(entry)))
            }
            Ok(Swapped::TooLate) => {
                claim.0.abandon();
                Ok(Err(NotWritten::TooLate))
            }
            Err(error) => {
                if !matches!(error, LedgerError::Failed(_)) {
                    claim.0.abandon();
                }
                Err(error)
            }
        }
    }

    /// Runs the future, and renews the lease while the future runs. Fails if the lease is lost before an effect has
    /// begun.
    pub(crate) async fn keep_alive<F: Future>(&self, future: F) -> Result<F::Output, ClaimError> {
        let mut future = pin!(future);
        let mut lost = pin!(self.0.lost());
        poll_fn(|cx| match future.as_mut().poll(cx) {
            Poll::Ready(output) => Poll::Ready(Ok(output)),
            Poll::Pending => lost.as_mut().poll(cx).map(Err),
        })
        .await
    }

    /// Marks the beginning of an effect that must not run twice. The effect can begin only after this returns `Ok`.
    pub(crate) async fn begin(&self) -> Result<(), ClaimError> {
        self.0.begin().await
    }

    /// Marks the beginning of a step, unless the step has already begun or completed. If `again` is set, a step that
    /// has begun can begin again.
    pub(crate) async fn begin_step(&self, name: &str, again: bool) -> Result<StepTurn, ClaimError> {
        match self.0.begin_step(name, again).await? {
            // `None` if the output was sealed with a key that was removed.
            StepTurn::Done(kept) => Ok(self.0.opened(kept).map_or(StepTurn::NotKept, StepTurn::Done)),
            turn => Ok(turn),
        }
    }

    /// Records the output of a step. If the output is too large, only the completion of the step is recorded.
    pub(crate) async fn end_step(&self, name: &str, value: &[u8]) -> Result<(), ClaimError> {
        let value = self.0.sealed(value);
        let kept = Kept::Yes(Stored::from(&*value));
        let change = |record: Record| {
            let kept = if record.has_room_for(name, value.len()) { kept.clone() } else { Kept::No };
            record.end_step(name, kept, self.0.lease())
        };
        match self.0.change(change).await {
            Err(ClaimError::Ledger(error)) if error.is_for_size() => {
                self.0.change(|record| record.end_step(name, Kept::No, self.0.lease())).await
            }
            changed => changed,
        }
    }

    /// Ends the round with this reply, which contains the state of the next round.
    pub(crate) async fn pass(&self, reply: &[u8]) -> Result<(), ClaimError> {
        self.0.end_with(&self.0.sealed(reply), Record::pass).await
    }

    /// Ends the call with this reply.
    pub(crate) async fn finish(&self, reply: &[u8]) -> Result<(), ClaimError> {
        self.0.end_with(&self.0.sealed(reply), Record::finish).await
    }

    /// Releases the round, so that a client can send the round's state again. The record still says which effects have
    /// begun.
    #[cfg(test)]
    pub(crate) async fn release(&self) -> Result<(), ClaimError> {
        self.0.release().await
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if self.0.is_over() {
            return;
        }
        let state = Arc::clone(&self.0);
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

impl Hold for Claim {
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
