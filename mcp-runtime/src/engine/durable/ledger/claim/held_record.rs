//! How the holder of a claim changes the record: in place, or with a compare-and-swap for each change.

use std::convert::Infallible;

use tokio::sync::{Mutex, MutexGuard};

use super::{claims::RACES, state::ClaimState};
use crate::engine::{
    call::lease::{ClaimError, LedgerError},
    durable::ledger::{
        LedgerVersion, MemoryLedger,
        interface::WITHOUT_DEADLINE,
        record::{Record, RecordEntry, WriteOutcome},
    },
};

/// How the holder changes the record.
pub(super) enum HeldRecord {
    /// In place, because the ledger is in memory.
    InMemory(MemoryLedger),
    /// With a compare-and-swap for each change. Boxed, because most ledgers are in memory.
    Seen(Box<Mutex<SeenRecord>>),
}

/// The record that the holder has last seen or written.
pub(super) struct SeenRecord {
    pub(super) version: Option<LedgerVersion>,
    pub(super) record: Record,
    /// Steps that did not begin, although the record may mark them as begun. A `begin_step` whose future was dropped
    /// may still have written the record. The next change removes their marks.
    pub(super) marked: Vec<Box<str>>,
}

impl ClaimState {
    /// Replaces the record by the record that `next` returns. Fails if the record does not belong to this holder any
    /// more.
    pub(super) async fn change(&self, next: impl Fn(Record) -> Record) -> Result<(), ClaimError> {
        match &self.record {
            HeldRecord::InMemory(memory) => {
                let Ok(()) = self.change_in_memory(memory, |record| Ok::<_, Infallible>(next(record)))?;
                Ok(())
            }
            // Boxed, so that the futures of calls are small if their ledger is in memory.
            HeldRecord::Seen(seen) => Box::pin(async { self.swap(&mut *self.lock(seen).await?, next).await }).await,
        }
    }

    /// Changes the record in place. Changes nothing if `next` fails.
    pub(super) fn change_in_memory<E>(
        &self,
        memory: &MemoryLedger,
        next: impl FnOnce(Record) -> Result<Record, E>,
    ) -> Result<Result<(), E>, ClaimError> {
        if self.is_over() {
            return Err(ClaimError::Lost);
        }
        let next = |record: Option<Record>, _| match record {
            Some(record) if record.is_held_by(self.holder) => next(record).map_err(Some),
            _ => Err(None),
        };
        let change = || memory.change_record(self.key, self.keep, None, next);
        match self.claims.written_in_memory(change, |changed| matches!(changed, Err(None)))? {
            Ok(()) => Ok(Ok(())),
            Err(Some(error)) => Ok(Err(error)),
            Err(None) => {
                self.end();
                Err(ClaimError::Lost)
            }
        }
    }

    /// Locks the record, so that transitions run one after another.
    pub(super) async fn lock<'a>(&self, seen: &'a Mutex<SeenRecord>) -> Result<MutexGuard<'a, SeenRecord>, ClaimError> {
        let seen = seen.lock().await;
        if self.is_over() { Err(ClaimError::Lost) } else { Ok(seen) }
    }

    /// Writes the next record if the record in the ledger belongs to this holder. The version in the ledger can be
    /// newer than the version last seen, because an earlier write that was dropped or failed may still have taken
    /// effect.
    pub(super) async fn swap(&self, seen: &mut SeenRecord, next: impl Fn(Record) -> Record) -> Result<(), ClaimError> {
        for _ in 0..RACES {
            let record = next(seen.record.clone().without(&seen.marked));
            let entry = match self.claims.write_record(self.key, seen.version, record.clone(), self.keep, None).await? {
                WriteOutcome::Done(version) => {
                    seen.record = record;
                    seen.version = Some(version);
                    return Ok(());
                }
                WriteOutcome::Conflict(entry) => entry,
                WriteOutcome::TooLate => return Err(LedgerError::failed(WITHOUT_DEADLINE).into()),
            };
            match entry {
                Some(RecordEntry { record, version }) if record.is_held_by(self.holder) => {
                    seen.record = record;
                    seen.version = Some(version);
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
