//! The state of a claim, and the changes that its holder can make to the record.

use std::{
    fmt,
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{sync::Mutex, time::sleep};

use super::{
    claims::{Claims, Turn},
    held_record::{HeldRecord, SeenRecord},
};
use crate::engine::{
    call::{
        lease::{ClaimError, StepTurn},
        ledger_time::LedgerTime,
    },
    durable::ledger::{
        LedgerId, LedgerVersion, MemoryLedger,
        record::{Kept, LONGEST_REPLY, Lease, Record, RecordKey, StepRecord},
    },
};

pub(crate) struct ClaimState {
    pub(super) claims: Arc<Claims>,
    pub(super) key: RecordKey,
    pub(super) keep: Duration,
    /// Identifies this holder in the record.
    pub(super) holder: u64,
    pub(super) record: HeldRecord,
    /// Whether `begin` has returned `Ok`. Even if this is `false`, the record can say that an effect has begun, because
    /// a `begin` whose future was dropped may still have written the record.
    begun: AtomicBool,
    /// Whether the claim has ended, because the round or the call ended, or because the lease was released or lost.
    over: AtomicBool,
}

impl ClaimState {
    /// Creates the state of a claim on a record that was changed in place.
    pub(super) fn in_memory(claims: Arc<Claims>, turn: &Turn, holder: u64, memory: &MemoryLedger) -> Self {
        Self::new(claims, turn, holder, HeldRecord::InMemory(memory.clone()))
    }

    /// Creates the state of a claim that is not written yet. `version` is the version of the present record.
    pub(super) fn unwritten(
        claims: Arc<Claims>,
        turn: &Turn,
        holder: u64,
        version: Option<LedgerVersion>,
        record: Record,
    ) -> Self {
        let seen = SeenRecord { version, record, marked: Vec::new() };
        Self::new(claims, turn, holder, HeldRecord::Seen(Box::new(Mutex::new(seen))))
    }

    fn new(claims: Arc<Claims>, turn: &Turn, holder: u64, record: HeldRecord) -> Self {
        let (begun, over) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { claims, key: turn.key, keep: turn.keep, holder, record, begun, over }
    }

    /// Returns whether the ledger is in memory. Each transition then completes when it is first polled.
    pub(crate) fn is_in_memory(&self) -> bool {
        matches!(self.record, HeldRecord::InMemory(_))
    }

    /// Sets the version that the ledger gave to the written record.
    pub(super) fn is_written(&mut self, version: LedgerVersion) {
        if let HeldRecord::Seen(seen) = &mut self.record {
            seen.get_mut().version = Some(version);
        }
    }

    /// Returns the claims in the ledger of the call, and the id of the ledger.
    pub(crate) fn ledger(&self) -> (&Arc<Claims>, LedgerId) {
        (&self.claims, self.key.ledger)
    }

    /// Returns the time of the ledger of the call.
    pub(super) fn now(&self) -> LedgerTime {
        self.claims.now()
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
        match &self.record {
            HeldRecord::InMemory(memory) => {
                let begun = self.change_in_memory(memory, |record| {
                    self.can_begin_step(&record, name, again).map(|()| record.begin_step(name, self.lease()))
                })?;
                begun.map_or_else(|not_begun| not_begun, |()| Ok(StepTurn::Run))
            }
            HeldRecord::Seen(seen) => Box::pin(self.begin_step_by_swap(seen, name, again)).await,
        }
    }

    async fn begin_step_by_swap(
        &self,
        seen: &Mutex<SeenRecord>,
        name: &str,
        again: bool,
    ) -> Result<StepTurn, ClaimError> {
        let mut seen = self.lock(seen).await?;
        let is_marked = seen.marked.iter().any(|marked| **marked == *name);
        if let Err(not_begun) = self.can_begin_step(&seen.record, name, again || is_marked) {
            return not_begun;
        }
        if seen.record.step(name).is_none() {
            seen.marked.push(name.into());
        }
        self.swap(&mut seen, |record| record.begin_step(name, self.lease())).await?;
        seen.marked.retain(|marked| **marked != *name);
        Ok(StepTurn::Run)
    }

    /// Returns an error with the reason if the record does not allow that the step begins.
    fn can_begin_step(&self, record: &Record, name: &str, again: bool) -> Result<(), Result<StepTurn, ClaimError>> {
        if !record.has_room_for(name, 0) {
            return Err(Err(ClaimError::TooManySteps));
        }
        Err(Ok(match record.step(name) {
            Some(StepRecord { value: Some(Kept::Yes(value)), .. }) => {
                // `None` if the output was sealed with a key that was removed.
                let opened = self.claims.opened_for(self.key.call, value.clone());
                opened.map_or(StepTurn::NotKept, StepTurn::Done)
            }
            Some(StepRecord { value: Some(Kept::No), .. }) => StepTurn::NotKept,
            Some(StepRecord { value: None, .. }) if !again => StepTurn::UnknownOutcome,
            Some(StepRecord { value: None, .. }) | None => return Ok(()),
        }))
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

    /// Ends the round with a reply. A reply that is too large is not stored.
    async fn end_with(&self, reply: &[u8], next: impl Fn(Record, Kept) -> Record) -> Result<(), ClaimError> {
        let kept = self.kept(reply);
        match self.change(|record| next(record, kept.clone())).await {
            Err(ClaimError::Ledger(error)) if error.is_for_size() => {
                self.change(|record| next(record, Kept::No)).await?;
            }
            changed => changed?,
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
        self.change(Record::release).await?;
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
    pub(super) fn end(&self) {
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
        self.claims.lease_from(self.now(), self.holder)
    }
}

impl fmt::Debug for ClaimState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClaimState").field("call", &self.key.call).finish_non_exhaustive()
    }
}
