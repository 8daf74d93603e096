//! What a claim holds: the record as it was last seen, and the right to change it.

use std::{
    borrow::Cow,
    fmt,
    future::pending,
    ops::Deref,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{Mutex, MutexGuard},
    time::sleep,
};

use super::{
    LedgerId, LedgerKey, LedgerVersion, Swapped,
    claims::{Claims, RACES, Turn},
    outcome_cipher::Cover,
    record::{Kept, LONGEST_REPLY, Lease, Record, Status, Step},
};
use crate::call::{
    lease::{ClaimError, LedgerError, StepTurn},
    stored::Stored,
};

pub(super) struct Holding {
    pub(super) claims: Arc<Claims>,
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
    /// Steps that may have been marked begun, and were not reported so: they have not.
    marked: Vec<Box<str>>,
}

impl Holding {
    /// Of a record that is not written yet.
    pub(super) fn new(
        claims: Arc<Claims>,
        turn: &Turn<'_>,
        holder: u64,
        seen: Option<LedgerVersion>,
        record: Record,
    ) -> Self {
        Self {
            claims,
            ledger: turn.key.ledger(),
            name: turn.key.name().into(),
            keep: turn.keep,
            holder,
            current: Mutex::new(Current { seen, record, marked: Vec::new() }),
            begun: AtomicBool::new(false),
            over: AtomicBool::new(false),
        }
    }

    /// The record is written, and has this version.
    pub(super) async fn is_written(&self, version: LedgerVersion) {
        self.current.lock().await.seen = Some(version);
    }

    pub(super) async fn begin(&self) -> Result<(), ClaimError> {
        self.change(|record| record.begin(self.lease())).await?;
        self.begun.store(true, Ordering::Release);
        Ok(())
    }

    pub(super) async fn begin_step(&self, name: &str, again: bool) -> Result<StepTurn, ClaimError> {
        let mut current = self.hold().await?;
        if !current.record.has_room_for(name, 0) {
            return Err(ClaimError::TooManySteps);
        }
        let is_marked = current.marked.iter().any(|marked| **marked == *name);
        match current.record.step(name) {
            Some(Step { value: Some(Kept::Yes(value)), .. }) => return Ok(StepTurn::Done(value.clone())),
            Some(Step { value: Some(Kept::No), .. }) => return Ok(StepTurn::NotKept),
            Some(Step { value: None, .. }) if is_marked || again => {}
            Some(Step { value: None, .. }) => return Ok(StepTurn::UnknownOutcome),
            None => current.marked.push(name.into()),
        }
        current.record = self.swap(&mut current, |record| record.begin_step(name, self.lease())).await?;
        current.marked.retain(|marked| **marked != *name);
        Ok(StepTurn::Run)
    }

    /// Changes the record and keeps it.
    pub(super) async fn change(&self, next: impl Fn(Record) -> Record) -> Result<(), ClaimError> {
        let mut current = self.hold().await?;
        current.record = self.swap(&mut current, next).await?;
        Ok(())
    }

    /// Ends the round with a reply, as large as it may be.
    pub(super) async fn end_with<'a>(
        &self,
        reply: &'a [u8],
        next: impl Fn(Record, Kept<&'a [u8]>) -> Record<&'a [u8]>,
    ) -> Result<(), ClaimError> {
        let mut current = self.hold().await?;
        let marked = current.marked.clone();
        let kept = if reply.len() <= LONGEST_REPLY { Kept::Yes(reply) } else { Kept::No };
        match self.swap(&mut current, |record| next(record.without(&marked), kept.clone())).await {
            Err(ClaimError::Ledger(error)) if error.is_for_size() => {
                self.swap(&mut current, |record| next(record.without(&marked), Kept::No)).await?;
            }
            swapped => drop(swapped?),
        }
        self.end();
        Ok(())
    }

    pub(super) async fn release(&self) -> Result<(), ClaimError> {
        if self.has_begun() {
            return Ok(());
        }
        let mut current = self.hold().await?;
        let marked = current.marked.clone();
        self.swap(&mut current, |record| record.without(&marked).release()).await?;
        self.end();
        Ok(())
    }

    /// Ready when the claim is lost and nothing has begun. Renews it until then.
    pub(super) async fn lost(&self) -> ClaimError {
        loop {
            sleep(self.claims.lease / 3).await;
            if self.is_over() {
                return pending().await;
            }
            match self.change(|record| record.renew(self.lease())).await {
                Err(ClaimError::Lost) if self.has_begun() => return pending().await,
                Err(ClaimError::Lost) => return ClaimError::Lost,
                // The ledger may be back before the lease is over.
                Err(_) | Ok(()) => {}
            }
        }
    }

    pub(super) fn has_begun(&self) -> bool {
        self.begun.load(Ordering::Acquire)
    }

    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    /// The record is another one now, of which others may wait to hear.
    fn end(&self) {
        self.abandon();
        self.claims.waiting.tell(&self.name);
    }

    /// Nothing is to be given back.
    pub(super) fn abandon(&self) {
        self.over.store(true, Ordering::Release);
    }

    /// As the ledger keeps it.
    pub(super) fn covered<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        match &self.claims.cover {
            // What is too large is not kept, sealed or not.
            Some(cover) if bytes.len() <= LONGEST_REPLY => cover.seal(&self.name, bytes).into(),
            _ => bytes.into(),
        }
    }

    /// As it was given; nothing where it was sealed with a key that is gone.
    pub(super) fn uncovered(&self, kept: Stored) -> Option<Stored> {
        Cover::open(self.claims.cover.as_ref(), &self.name, kept)
    }

    pub(super) fn lease(&self) -> Lease {
        self.claims.lease_from(self.claims.now(), self.holder)
    }

    /// One transition after the other.
    async fn hold(&self) -> Result<MutexGuard<'_, Current>, ClaimError> {
        let current = self.current.lock().await;
        if self.is_over() { Err(ClaimError::Lost) } else { Ok(current) }
    }

    /// Writes what comes next, as long as the record is ours. It may have another version all the same: that of a swap
    /// of ours that was dropped or failed, and was done.
    async fn swap<R: Deref<Target = [u8]>>(
        &self,
        current: &mut Current,
        next: impl Fn(Record) -> Record<R>,
    ) -> Result<Record<R>, ClaimError> {
        for _ in 0..RACES {
            let record = next(current.record.clone());
            let key = LedgerKey::new(self.ledger, &self.name);
            let bytes = record.to_bytes();
            let swapped = if record.status == Status::Done {
                self.claims.finish(key, current.seen, bytes, self.keep).await
            } else {
                self.claims.swap(key, current.seen, bytes, self.keep, None).await
            };
            let entry = match swapped? {
                Swapped::Done(version) => {
                    current.seen = Some(version);
                    return Ok(record);
                }
                Swapped::Conflict(entry) => entry,
                Swapped::TooLate => {
                    return Err(LedgerError::failed("the ledger finds too late what may come at any time").into());
                }
            };
            let theirs = entry.map(|entry| Ok((Record::from_bytes(&entry.value)?, entry.version)));
            match theirs.transpose().map_err(ClaimError::Ledger)? {
                Some((record, version)) if record.is_held_by(self.holder) => {
                    current.record = record;
                    current.seen = Some(version);
                }
                _ => {
                    self.end();
                    return Err(ClaimError::Lost);
                }
            }
        }
        Err(LedgerError::failed("the ledger finds a conflict wherever there is none").into())
    }
}

impl fmt::Debug for Holding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Holding").field("call", &self.name).finish_non_exhaustive()
    }
}
