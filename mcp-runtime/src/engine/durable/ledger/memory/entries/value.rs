//! The name and the value of an entry in memory.

use std::sync::Arc;

use crate::engine::{
    call::{call_id::CallId, lease::LedgerError},
    durable::ledger::{
        LedgerEntry, LedgerVersion,
        record::{Record, Status},
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
pub(in super::super) enum EntryValue<R = Record> {
    Record(R),
    Bytes(Arc<[u8]>),
}

/// A value in the table. Records are boxed, because the table has room for more entries than it has.
pub(super) type BoxedValue = EntryValue<Box<Record>>;

/// An entry that is present, or whose value was discarded.
pub(in super::super) struct PresentEntry<'a> {
    /// `None` if the value was discarded.
    pub(super) value: Option<&'a BoxedValue>,
    /// The length of the value as bytes, or 0.
    pub(super) length: u32,
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

impl BoxedValue {
    /// Replaces the value. A record replaces a record in its place.
    pub(super) fn replace(&mut self, value: EntryValue) {
        match (self, value) {
            (Self::Record(present), EntryValue::Record(record)) => **present = record,
            (present, value) => *present = value.into(),
        }
    }
}

impl From<EntryValue> for BoxedValue {
    fn from(value: EntryValue) -> Self {
        match value {
            EntryValue::Record(record) => Self::Record(Box::new(record)),
            EntryValue::Bytes(bytes) => Self::Bytes(bytes),
        }
    }
}

impl PresentEntry<'_> {
    /// Returns the length of the value as bytes.
    pub(in super::super) fn len(&self) -> usize {
        self.length as usize
    }

    pub(in super::super) fn to_bytes(&self) -> LedgerEntry {
        let value = match self.value {
            Some(EntryValue::Record(record)) => record.to_bytes(),
            Some(EntryValue::Bytes(bytes)) => Arc::clone(bytes),
            None => Arc::default(),
        };
        LedgerEntry { value, version: self.version }
    }

    pub(in super::super) fn to_record(&self) -> Result<Record, LedgerError> {
        match self.value {
            Some(EntryValue::Record(record)) => Ok((**record).clone()),
            Some(EntryValue::Bytes(bytes)) => Record::from_bytes(bytes),
            None => Ok(Record::discarded()),
        }
    }
}
