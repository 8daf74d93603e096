//! The state of a claim: the last record that the holder has seen or written, and the changes that the holder can make.

use std::{
    fmt,
    future::pending,
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

use super::claims::{Claims, RACES, Turn};
use crate::engine::{
    call::lease::{ClaimError, LedgerError, StepTurn},
    durable::ledger::{
        LedgerVersion,
        interface::WITHOUT_DEADLINE,
        record::{Kept, LONGEST_REPLY, Lease, Record, RecordEntry, RecordKey, StepRecord, WriteOutcome},
    },
};

pub(crate) struct ClaimState {
    claims: Arc<Claims>,
    key: RecordKey,
    keep: Duration,
    /// Identifies this holder in the record.
    holder: u64,
    current: Mutex<Current>,
    /// Whether `begin` has returned `Ok`. Even if this is `false`, the record can say that an effect has begun, because
    /// a `begin` whose future was dropped may still have written the record.
    begun: AtomicBool,
    /// Whether the claim has ended, because the round or the call ended, or because the lease was released or lost.
    over: AtomicBool,
}

struct Current {
    seen: Option<LedgerVersion>,
    record: Record,
    /// Steps that did not begin, although the record may mark them as begun. A `begin_step` whose future was dropped
    /// may still have written the record.
    marked: Vec<Box<str>>,
}

impl ClaimState {
    /// Creates the state of a claim that is not written yet.
    pub(super) fn new(
        claims: Arc<Claims>,
        turn: &Turn,
        holder: u64,
        seen: Option<LedgerVersion>,
        record: Record,
    ) -> Self {
        Self {
            claims,
            key: turn.key,
            keep: turn.keep,
            holder,
            current: Mutex::new(Current { seen, record, marked: Vec::new() }),
            begun: AtomicBool::new(false),
            over: AtomicBool::new(false),
        }
    }

    /// Sets the version that the ledger gave to the written record.
    pub(super) fn is_written(&mut self, version: LedgerVersion) {
        self.current.get_mut().seen = Some(version);
    }

    /// Marks the beginning of an effect that must not run twice. The effect can begin only after this returns `Ok`.
    pub(crate) async fn begin(&self) -> Result<(), ClaimError> {
        self.change(|record| record.begin(self.lease())).await?;
        self.begun.store(true, Ordering::Release);
        Ok(())
    }

    /// Marks the beginning of a step, unless the step has already begun or completed. If `again` is set, a step that
    /// has begun can begin again.
    pub(crate) async fn begin_step(&self, name: &str, again: bool) -> Result<StepTurn, ClaimError> {
        let mut current = self.lock().await?;
        if !current.record.has_room_for(name, 0) {
            return Err(ClaimError::TooManySteps);
        }
        let is_marked = current.marked.iter().any(|marked| **marked == *name);
        match current.record.step(name) {
            Some(StepRecord { value: Some(Kept::Yes(value)), .. }) => {
                // `None` if the output was sealed with a key that was removed.
                let opened = self.claims.opened_for(self.key.call, value.clone());
                return Ok(opened.map_or(StepTurn::NotKept, StepTurn::Done));
            }
            Some(StepRecord { value: Some(Kept::No), .. }) => return Ok(StepTurn::NotKept),
            Some(StepRecord { value: None, .. }) if is_marked || again => {}
            Some(StepRecord { value: None, .. }) => return Ok(StepTurn::UnknownOutcome),
            None => current.marked.push(name.into()),
        }
        self.write(&mut current, |record| record.begin_step(name, self.lease())).await?;
        current.marked.retain(|marked| **marked != *name);
        Ok(StepTurn::Run)
    }

    /// Records the output of a step. If the output is too large, only the completion of the step is recorded.
    pub(crate) async fn end_step(&self, name: &str, value: &[u8]) -> Result<(), ClaimError> {
        let kept = self.kept(value);
        let change = |record: Record| {
            let kept = match &kept {
                Kept::Yes(value) if record.has_room_for(name, value.len()) => kept.clone(),
                _ => Kept::No,
            };
            record.end_step(name, kept, self.lease())
        };
        match self.change(change).await {
            Err(ClaimError::Ledger(error)) if error.is_for_size() => {
                self.change(|record| record.end_step(name, Kept::No, self.lease())).await
            }
            changed => changed,
        }
    }

    /// Ends the round with this reply, which contains the state of the next round.
    pub(crate) async fn pass(&self, reply: &[u8]) -> Result<(), ClaimError> {
        self.end_with(reply, |record, reply| record.pass(reply, None)).await
    }

    /// Ends the round in the same way, and records the journal that the next round can be rebuilt from.
    pub(crate) async fn pass_with_journal(&self, reply: &[u8], journal: &[u8]) -> Result<(), ClaimError> {
        let journal = self.claims.sealed_journal(self.key.call, journal);
        self.end_with(reply, |record, reply| record.pass(reply, Some(journal.clone()))).await
    }

    /// Ends the call with this reply.
    pub(crate) async fn finish(&self, reply: &[u8]) -> Result<(), ClaimError> {
        self.end_with(reply, Record::finish).await
    }

    /// Calls `next` with the current record, and writes the record that `next` returns.
    async fn change(&self, next: impl Fn(Record) -> Record) -> Result<(), ClaimError> {
        let mut current = self.lock().await?;
        self.write(&mut current, next).await
    }

    /// Ends the round with a reply. A reply that is too large is not stored.
    async fn end_with(&self, reply: &[u8], next: impl Fn(Record, Kept) -> Record) -> Result<(), ClaimError> {
        let mut current = self.lock().await?;
        let (marked, kept) = (current.marked.clone(), self.kept(reply));
        match self.write(&mut current, |record| next(record.without(&marked), kept.clone())).await {
            Err(ClaimError::Ledger(error)) if error.is_for_size() => {
                self.write(&mut current, |record| next(record.without(&marked), Kept::No)).await?;
            }
            written => written?,
        }
        self.end();
        Ok(())
    }

    /// Releases the round, so that a client can send the round's state again. The record still says which effects have
    /// begun.
    pub(crate) async fn release(&self) -> Result<(), ClaimError> {
        if self.has_begun() {
            return Ok(());
        }
        let mut current = self.lock().await?;
        let marked = current.marked.clone();
        self.write(&mut current, |record| record.without(&marked).release()).await?;
        self.end();
        Ok(())
    }

    /// Renews the lease at regular intervals. Completes only if the lease is lost before an effect has begun.
    pub(super) async fn lost(&self) -> ClaimError {
        loop {
            sleep(self.claims.lease / 3).await;
            if self.is_over() {
                return pending().await;
            }
            match self.change(|record| record.renew(self.lease())).await {
                Err(ClaimError::Lost) if self.has_begun() => return pending().await,
                Err(ClaimError::Lost) => return ClaimError::Lost,
                // The ledger may recover before the lease expires.
                Err(_) | Ok(()) => {}
            }
        }
    }

    fn has_begun(&self) -> bool {
        self.begun.load(Ordering::Acquire)
    }

    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    /// Marks the claim as ended, and wakes the requests that wait for the record to change.
    fn end(&self) {
        self.abandon();
        self.claims.waiting.notify(self.key.call);
    }

    /// Marks the claim as ended, but does not release the round in the ledger.
    pub(super) fn abandon(&self) {
        self.over.store(true, Ordering::Release);
    }

    /// Returns a reply or the output of a step as the record keeps it: encrypted, and only if it is not too large.
    fn kept(&self, bytes: &[u8]) -> Kept {
        if bytes.len() > LONGEST_REPLY {
            return Kept::No;
        }
        let sealed = self.claims.sealed_for(self.key.call, bytes);
        if sealed.len() <= LONGEST_REPLY { Kept::Yes(sealed) } else { Kept::No }
    }

    fn lease(&self) -> Lease {
        self.claims.lease_from(self.claims.now(), self.holder)
    }

    /// Locks the record, so that transitions run one after another.
    async fn lock(&self) -> Result<MutexGuard<'_, Current>, ClaimError> {
        let current = self.current.lock().await;
        if self.is_over() { Err(ClaimError::Lost) } else { Ok(current) }
    }

    /// Writes the next record if the record in the ledger belongs to this holder. The version in the ledger can be
    /// newer than the version last seen, because an earlier write that was dropped or failed may still have taken
    /// effect.
    async fn write(&self, current: &mut Current, next: impl Fn(Record) -> Record) -> Result<(), ClaimError> {
        for _ in 0..RACES {
            let record = next(current.record.clone());
            let entry = match self.claims.write_record(self.key, current.seen, record.clone(), self.keep, None).await? {
                WriteOutcome::Done(version) => {
                    current.record = record;
                    current.seen = Some(version);
                    return Ok(());
                }
                WriteOutcome::Conflict(entry) => entry,
                WriteOutcome::TooLate => return Err(LedgerError::failed(WITHOUT_DEADLINE).into()),
            };
            match entry {
                Some(RecordEntry { record, version }) if record.is_held_by(self.holder) => {
                    current.record = record;
                    current.seen = Some(version);
                }
                _ => {
                    self.end();
                    return Err(ClaimError::Lost);
                }
            }
        }
        Err(LedgerError::failed("the ledger keeps reporting conflicts although the version matches").into())
    }
}

impl fmt::Debug for ClaimState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClaimState").field("call", &self.key.call).finish_non_exhaustive()
    }
}
