//! A round that was taken up.

use std::{
    future::poll_fn,
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use super::{
    LedgerEntry, LedgerVersion, Swapped,
    claims::{Claims, Turn},
    lease::Holding,
    record::{Kept, Record},
};
use crate::call::{
    lease::{ClaimError, Hold, LedgerError, StepTurn, Transition},
    stored::Stored,
};

/// The right to lead a round to its end. Dropped before that, and before anything has begun, it is given back.
///
/// Every transition is one swap with the version last seen. All may be dropped half-way: the record then says either,
/// and the next transition finds out.
#[derive(Debug)]
pub(crate) struct Claim(Arc<Holding>);

/// Why a claim was not written.
pub(super) enum Refused {
    /// This is there now.
    Conflict(Option<LedgerEntry>),
    /// The state that brings it is past its time.
    TooLate,
}

impl Claim {
    /// Writes the claim, or tells why not.
    pub(super) async fn take(
        claims: &Arc<Claims>,
        turn: &Turn<'_>,
        seen: Option<LedgerVersion>,
        record: Record,
        holder: u64,
    ) -> Result<Result<Self, Refused>, LedgerError> {
        let bytes = record.to_bytes();
        // Made first, so that a swap that is dropped or fails half-way is given back.
        let claim = Self(Arc::new(Holding::new(Arc::clone(claims), turn, holder, seen, record)));
        match claims.swap(turn.key, seen, bytes, turn.keep, turn.expires).await {
            Ok(Swapped::Done(version)) => {
                claim.0.is_written(version).await;
                Ok(Ok(claim))
            }
            Ok(Swapped::Conflict(entry)) => {
                claim.0.abandon();
                Ok(Err(Refused::Conflict(entry)))
            }
            Ok(Swapped::TooLate) => {
                claim.0.abandon();
                Ok(Err(Refused::TooLate))
            }
            Err(error) => {
                if !matches!(error, LedgerError::Failed(_)) {
                    claim.0.abandon();
                }
                Err(error)
            }
        }
    }

    /// Runs the future, and renews the claim while it is pending. Fails if the claim is lost before anything has begun.
    pub(crate) async fn keep_alive<F: Future>(&self, future: F) -> Result<F::Output, ClaimError> {
        let mut future = pin!(future);
        let mut lost = pin!(self.0.lost());
        poll_fn(|cx| match future.as_mut().poll(cx) {
            Poll::Ready(output) => Poll::Ready(Ok(output)),
            Poll::Pending => lost.as_mut().poll(cx).map(Err),
        })
        .await
    }

    /// Marks that what must not begin twice begins now. Only when this has succeeded, it may.
    pub(crate) async fn begin(&self) -> Result<(), ClaimError> {
        self.0.begin().await
    }

    /// Marks that a step begins now, unless it has begun or is done. `again`: it may begin twice.
    pub(crate) async fn begin_step(&self, name: &str, again: bool) -> Result<StepTurn, ClaimError> {
        match self.0.begin_step(name, again).await? {
            // Sealed with a key that is gone.
            StepTurn::Done(kept) => Ok(self.0.uncovered(kept).map_or(StepTurn::NotKept, StepTurn::Done)),
            turn => Ok(turn),
        }
    }

    /// Records what a step gave. What is too large is not kept.
    pub(crate) async fn end_step(&self, name: &str, value: &[u8]) -> Result<(), ClaimError> {
        let value = self.0.covered(value);
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

    /// The round ends with this reply, which has the state of the next.
    pub(crate) async fn pass(&self, reply: &[u8]) -> Result<(), ClaimError> {
        self.0.end_with(&self.0.covered(reply), Record::pass).await
    }

    /// The call ends with this reply.
    pub(crate) async fn finish(&self, reply: &[u8]) -> Result<(), ClaimError> {
        self.0.end_with(&self.0.covered(reply), Record::finish).await
    }

    /// Gives the round back: the same state may come again. What has begun stays begun.
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
        let holding = Arc::clone(&self.0);
        // Where it cannot be given back, the lease will end.
        let mut release = Box::pin(async move { drop(holding.release().await) });
        // A ledger in memory is done at once.
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
