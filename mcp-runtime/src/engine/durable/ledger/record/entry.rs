//! The record of a call as an entry of a ledger.

use super::Record;
use crate::engine::{
    call::{call_id::CallId, lease::LedgerError},
    durable::ledger::{LedgerEntry, LedgerId, LedgerVersion, Swapped},
};

/// The key of a record: the call, and the id of the ledger that this server uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordKey {
    pub(crate) ledger: LedgerId,
    pub(crate) call: CallId,
}

/// A record, and the version that the ledger gave it. See [`LedgerEntry`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RecordEntry {
    pub(crate) record: Record,
    pub(crate) version: LedgerVersion,
}

/// The result of writing a record. See [`Swapped`].
#[derive(Debug)]
pub(crate) enum WriteOutcome {
    Done(LedgerVersion),
    Conflict(Option<RecordEntry>),
    TooLate,
}

impl TryFrom<LedgerEntry> for RecordEntry {
    type Error = LedgerError;

    fn try_from(LedgerEntry { value, version }: LedgerEntry) -> Result<Self, LedgerError> {
        Ok(Self { record: Record::from_bytes(&value)?, version })
    }
}

impl TryFrom<Swapped> for WriteOutcome {
    type Error = LedgerError;

    fn try_from(swapped: Swapped) -> Result<Self, LedgerError> {
        Ok(match swapped {
            Swapped::Done(version) => Self::Done(version),
            Swapped::Conflict(entry) => Self::Conflict(entry.map(RecordEntry::try_from).transpose()?),
            Swapped::TooLate => Self::TooLate,
        })
    }
}
