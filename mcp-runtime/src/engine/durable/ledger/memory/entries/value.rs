//! The name and the value of an entry in memory.

use std::sync::Arc;

use crate::engine::{
    call::{call_id::CallId, lease::LedgerError},
    durable::ledger::{
        LedgerEntry, LedgerVersion,
        record::{Record, RecordEntry, Status},
    },
};

/// The name of an entry. Most entries are records of calls, which are named by the ids of their calls.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in super::super) enum EntryName {
    Call(CallId),
    Other(Arc<str>),
}

/// The value of an entry. A server keeps the records of its calls as values. The interface of the ledger encodes them,
/// and writes bytes, which can be the encoding of a record.
pub(in super::super) enum EntryValue {
    // Boxed, because the table has room for more entries than it has.
    Record(Box<Record>),
    Bytes(Arc<[u8]>),
}

/// An entry that is present, or whose value was discarded.
pub(in super::super) struct PresentEntry<'a> {
    /// `None` if the value was discarded.
    pub(super) value: Option<&'a EntryValue>,
    pub(in super::super) version: LedgerVersion,
}

impl From<&str> for EntryName {
    fn from(name: &str) -> Self {
        CallId::from_name(name).map_or_else(|| Self::Other(name.into()), Self::Call)
    }
}

impl EntryName {
    /// Returns the length of the name as text.
    pub(in super::super) fn len(&self) -> usize {
        match self {
            Self::Call(_) => CallId::NAME,
            Self::Other(name) => name.len(),
        }
    }
}

impl EntryValue {
    /// Returns the length of the value as bytes.
    pub(in super::super) fn len(&self) -> usize {
        match self {
            Self::Record(record) => record.encoded_len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }

    /// Returns whether the value is the record of a finished call.
    pub(in super::super) fn is_done(&self) -> bool {
        matches!(self, Self::Record(record) if record.status == Status::Done)
    }
}

impl PresentEntry<'_> {
    /// Returns the length of the value as bytes.
    pub(in super::super) fn len(&self) -> usize {
        self.value.map_or(0, EntryValue::len)
    }

    pub(in super::super) fn to_bytes(&self) -> Result<LedgerEntry, LedgerError> {
        let value = match self.value {
            Some(EntryValue::Record(record)) => record.to_bytes(),
            Some(EntryValue::Bytes(bytes)) => Arc::clone(bytes),
            None => Arc::default(),
        };
        Ok(LedgerEntry { value, version: self.version })
    }

    pub(in super::super) fn to_record(&self) -> Result<RecordEntry, LedgerError> {
        let record = match self.value {
            Some(EntryValue::Record(record)) => (**record).clone(),
            Some(EntryValue::Bytes(bytes)) => Record::from_bytes(bytes)?,
            None => Record::discarded(),
        };
        Ok(RecordEntry { record, version: self.version })
    }
}
