//! A round that was taken up.

use std::{
    future::{pending, poll_fn},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
    time::Duration,
};

use tokio::{
    sync::{Mutex, MutexGuard},
    time::sleep,
};

use super::{
    LedgerEntry, LedgerError, LedgerId, LedgerKey, LedgerVersion, Swapped,
    claims::{Claims, RACES, Turn},
    record::{Kept, LONGEST_REPLY, Record, Step, Stored},
};

/// The right to lead a round to its end. Dropped before that, and before anything has begun, it is given back.
///
/// Every transition is one swap with the version last seen. All may be dropped half-way: the record then says either,
/// and the next transition finds out.
#[derive(Debug)]
pub(crate) struct Claim(Arc<Holding>);

struct Holding {
    claims: Arc<Claims>,
    ledger: LedgerId,
    name: Box<str>,
    keep: Duration,
    /// By this the record says that it is ours.
    holder: u64,
    current: Mutex<Current>,
    /// It was reported begun. A mark in the record alone may be one whose swap was dropped.
    begun: AtomicBool,
    /// Passed on, finished, given back or lost.
    over: AtomicBool,
}

struct Current {
    seen: Option<LedgerVersion>,
    record: Record,
}

/// Why a transition was not made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClaimError {
    /// Somebody else has the round: their reply is the call's. Taking it up again leads to it.
    #[error("another instance has taken this call over")]
    Lost,
    /// The steps of the call would take more room than a record has.
    #[error("the steps of this call are too many")]
    TooManySteps,
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// What the record says of a step that is about to begin.
#[derive(Debug, PartialEq)]
pub(crate) enum StepTurn {
    /// It is marked begun: run it.
    Run,
    /// It was done, and gave this.
    Done(Stored),
    /// It was done; what it gave was too large to keep.
    NotKept,
    /// It was begun, and whoever began it is gone.
    UnknownOutcome,
}

impl Claim {
    /// Writes the claim, or tells what is there now.
    pub(super) async fn take(
        claims: &Arc<Claims>,
        turn: &Turn<'_>,
        seen: Option<LedgerVersion>,
        record: Record,
        holder: u64,
    ) -> Result<Result<Self, Option<LedgerEntry>>, LedgerError> {
        let bytes = record.to_bytes();
        // Made first, so that a swap that is dropped or fails half-way is given back.
        let claim = Self(Arc::new(Holding {
            claims: Arc::clone(claims),
            ledger: turn.key.ledger(),
            name: turn.key.name().into(),
            keep: turn.keep,
            holder,
            current: Mutex::new(Current { seen, record }),
            begun: AtomicBool::new(false),
            over: AtomicBool::new(false),
        }));
        let swapped = claims.swap(turn.key, seen, bytes, turn.keep).await;
        match swapped {
            Ok(Swapped::Done(version)) => {
                claim.0.current.lock().await.seen = Some(version);
                Ok(Ok(claim))
            }
            Ok(Swapped::Conflict(entry)) => {
                claim.0.end();
                Ok(Err(entry))
            }
            Err(error) => {
                if !matches!(error, LedgerError::Failed(_)) {
                    claim.0.end();
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
        self.0.change(|record| record.begin(self.0.claims.lease_of(self.0.holder))).await?;
        self.0.begun.store(true, Ordering::Release);
        Ok(())
    }

    /// Marks that a step begins now, unless it has begun or is done. `again`: it may begin twice.
    pub(crate) async fn begin_step(&self, name: &str, again: bool) -> Result<StepTurn, ClaimError> {
        let current = self.0.hold().await?;
        if !current.record.has_room_for(name, 0) {
            return Err(ClaimError::TooManySteps);
        }
        match current.record.step(name) {
            Some(Step { value: Some(Kept::Yes(value)), .. }) => return Ok(StepTurn::Done(value.clone())),
            Some(Step { value: Some(Kept::No), .. }) => return Ok(StepTurn::NotKept),
            Some(Step { value: None, .. }) if !again => return Ok(StepTurn::UnknownOutcome),
            Some(Step { value: None, .. }) | None => {}
        }
        drop(current);
        self.0.change(|record| record.begin_step(name)).await?;
        Ok(StepTurn::Run)
    }

    /// Records what a step gave. What is too large is not kept.
    pub(crate) async fn end_step(&self, name: &str, value: &[u8]) -> Result<(), ClaimError> {
        let kept = Kept::Yes(Stored::from(value));
        let change = |record: Record| {
            let kept = if record.has_room_for(name, value.len()) { kept.clone() } else { Kept::No };
            record.end_step(name, kept)
        };
        match self.0.change(change).await {
            Err(ClaimError::Ledger(LedgerError::Full)) => self.0.change(|record| record.end_step(name, Kept::No)).await,
            changed => changed,
        }
    }

    /// The round ends with this reply, which has the state of the next.
    pub(crate) async fn pass(&self, reply: &[u8]) -> Result<(), ClaimError> {
        self.0.end_with(reply, Record::pass).await
    }

    /// The call ends with this reply.
    pub(crate) async fn finish(&self, reply: &[u8]) -> Result<(), ClaimError> {
        self.0.end_with(reply, Record::finish).await
    }

    /// Gives the round back: the same state may come again. What has begun stays begun.
    pub(crate) async fn release(&self) -> Result<(), ClaimError> {
        self.0.release().await
    }
}

impl Holding {
    /// Changes the record and keeps it.
    async fn change(&self, next: impl Fn(Record) -> Record) -> Result<(), ClaimError> {
        let mut current = self.hold().await?;
        current.record = self.swap(&mut current, next).await?;
        Ok(())
    }

    async fn end_with<'a>(
        &self,
        reply: &'a [u8],
        next: fn(Record, Kept<&'a [u8]>) -> Record<&'a [u8]>,
    ) -> Result<(), ClaimError> {
        let mut current = self.hold().await?;
        let kept = if reply.len() <= LONGEST_REPLY { Kept::Yes(reply) } else { Kept::No };
        match self.swap(&mut current, |record| next(record, kept.clone())).await {
            Err(ClaimError::Ledger(LedgerError::Full)) => {
                self.swap(&mut current, |record| next(record, Kept::No)).await?;
            }
            swapped => drop(swapped?),
        }
        self.end();
        Ok(())
    }

    async fn release(&self) -> Result<(), ClaimError> {
        if !self.begun.load(Ordering::Acquire) {
            let mut current = self.hold().await?;
            self.swap(&mut current, Record::release).await?;
            self.end();
        }
        Ok(())
    }

    /// Ready when the claim is lost and nothing has begun. Renews it until then.
    async fn lost(&self) -> ClaimError {
        loop {
            sleep(self.claims.lease / 3).await;
            if self.over.load(Ordering::Acquire) {
                return pending().await;
            }
            let renewed = self.change(|record| record.renew(self.claims.lease_of(self.holder))).await;
            match renewed {
                Err(ClaimError::Lost) if self.begun.load(Ordering::Acquire) => return pending().await,
                Err(ClaimError::Lost) => return ClaimError::Lost,
                // The ledger may be back before the lease is over.
                Err(_) | Ok(()) => {}
            }
        }
    }

    /// One transition after the other.
    async fn hold(&self) -> Result<MutexGuard<'_, Current>, ClaimError> {
        let current = self.current.lock().await;
        if self.over.load(Ordering::Acquire) { Err(ClaimError::Lost) } else { Ok(current) }
    }

    /// Writes what comes next, as long as the record is ours. It may have another version all the same: that of a swap
    /// of ours that was dropped or failed, and was done.
    async fn swap<R: std::ops::Deref<Target = [u8]>>(
        &self,
        current: &mut Current,
        next: impl Fn(Record) -> Record<R>,
    ) -> Result<Record<R>, ClaimError> {
        for _ in 0..RACES {
            let record = next(current.record.clone());
            let key = LedgerKey::new(self.ledger, &self.name);
            let entry = match self.claims.swap(key, current.seen, record.to_bytes(), self.keep).await? {
                Swapped::Done(version) => {
                    current.seen = Some(version);
                    return Ok(record);
                }
                Swapped::Conflict(entry) => entry,
            };
            let theirs = entry.map(|entry| Ok((Record::from_bytes(&entry.value)?, entry.version)));
            match theirs.transpose().map_err(ClaimError::Ledger)? {
                Some((record, version)) if record.is_held_by(self.holder) => {
                    *current = Current { seen: Some(version), record };
                }
                _ => {
                    self.end();
                    return Err(ClaimError::Lost);
                }
            }
        }
        Err(LedgerError::failed("the ledger finds a conflict wherever there is none").into())
    }

    fn end(&self) {
        self.over.store(true, Ordering::Release);
        self.claims.waiting.tell(&self.name);
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let Self(holding) = self;
        if holding.over.load(Ordering::Acquire) || holding.begun.load(Ordering::Acquire) {
            return;
        }
        let holding = Arc::clone(holding);
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

impl std::fmt::Debug for Holding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Claim").field("call", &self.name).finish_non_exhaustive()
    }
}
