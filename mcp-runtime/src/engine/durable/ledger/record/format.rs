//! The encoding of a record.
//!
//! ```text
//! 1  format, 2
//! 1  status: 0 open, 1 running, 2 begun, 3 done
//! 1  reply: 0 none, 1 kept, 2 not kept
//! 4  round
//! 8  holder           running and begun only
//! 8  end of the lease running and begun only, in the ledger's time
//! 4  number of steps, and for each:
//!    1  value: 0 none, 1 kept, 2 not kept
//!    2  length of the name
//!    4  length of the value
//!       name, UTF-8
//!       value
//! 4  length of the journal, 0 if there is none
//!    journal
//!    reply, to the end
//! ```
//!
//! Numbers are little-endian. The reply comes last and is read without copying it. If the ledger has discarded the
//! reply of a finished call, the call's record is empty: it has 0 bytes.

use std::sync::Arc;

use super::{Kept, Lease, Record, Status, StepRecord};
use crate::engine::call::{entry_slice::EntrySlice, lease::LedgerError, ledger_time::LedgerTime};

const FORMAT: u8 = 2;

impl Record {
    /// Returns the length of the encoded record.
    pub(crate) fn encoded_len(&self) -> usize {
        let lease = match self.status {
            Status::Open | Status::Done => 0,
            Status::Running(_) | Status::Begun(_) => 16,
        };
        let steps = self.steps.iter().map(StepRecord::len).sum::<usize>();
        15 + lease + steps + self.journal.as_deref().map_or(0, <[u8]>::len) + bytes(self.reply.as_ref()).len()
    }

    pub(crate) fn to_bytes(&self) -> Arc<[u8]> {
        let (status, lease) = match self.status {
            Status::Open => (0, None),
            Status::Running(lease) => (1, Some(lease)),
            Status::Begun(lease) => (2, Some(lease)),
            Status::Done => (3, None),
        };
        let reply = bytes(self.reply.as_ref());
        let mut whole = Vec::with_capacity(self.encoded_len());
        whole.extend([FORMAT, status, kept(self.reply.as_ref())]);
        whole.extend(self.round.to_le_bytes());
        if let Some(Lease { holder, until }) = lease {
            whole.extend(holder.to_le_bytes());
            whole.extend(until.0.to_le_bytes());
        }
        push_length(&mut whole, self.steps.len());
        for StepRecord { name, value } in &self.steps {
            let bytes = bytes(value.as_ref());
            whole.push(kept(value.as_ref()));
            // `Record::has_room_for` rejects longer names.
            whole.extend(u16::try_from(name.len()).unwrap_or(u16::MAX).to_le_bytes());
            push_length(&mut whole, bytes.len());
            whole.extend(name.as_bytes());
            whole.extend(bytes);
        }
        let journal = self.journal.as_deref().unwrap_or_default();
        push_length(&mut whole, journal.len());
        whole.extend(journal);
        whole.extend(reply);
        whole.into()
    }

    pub(crate) fn from_bytes(bytes: &Arc<[u8]>) -> Result<Self, LedgerError> {
        if bytes.is_empty() {
            return Ok(Self::discarded());
        }
        RecordReader { entry: bytes, at: 0 }.record().ok_or_else(|| {
            LedgerError::failed("the record of a call is damaged, or was written by another version of `mcp-runtime`")
        })
    }
}

fn kept(kept: Option<&Kept>) -> u8 {
    match kept {
        None => 0,
        Some(Kept::Yes(_)) => 1,
        Some(Kept::No) => 2,
    }
}

fn bytes(kept: Option<&Kept>) -> &[u8] {
    match kept {
        Some(Kept::Yes(bytes)) => bytes,
        Some(Kept::No) | None => &[],
    }
}

fn push_length(out: &mut Vec<u8>, length: usize) {
    out.extend(u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes());
}

struct RecordReader<'a> {
    entry: &'a Arc<[u8]>,
    at: usize,
}

impl RecordReader<'_> {
    fn record(mut self) -> Option<Record> {
        let [format, status, reply] = self.array()?;
        if format != FORMAT {
            return None;
        }
        let round = u32::from_le_bytes(self.array()?);
        let status = match status {
            0 => Status::Open,
            1 => Status::Running(self.lease()?),
            2 => Status::Begun(self.lease()?),
            3 => Status::Done,
            _ => return None,
        };
        let count = u32::from_le_bytes(self.array()?);
        let steps = (0..count).map(|_| self.step()).collect::<Option<_>>()?;
        let journal = match u32::from_le_bytes(self.array()?) {
            0 => None,
            length => Some(self.slice(usize::try_from(length).ok()?)?),
        };
        let reply = self.kept(reply, self.entry.len() - self.at)?;
        (self.at == self.entry.len()).then_some(Record { round, status, reply, journal, steps })
    }

    fn lease(&mut self) -> Option<Lease> {
        Some(Lease { holder: u64::from_le_bytes(self.array()?), until: LedgerTime(u64::from_le_bytes(self.array()?)) })
    }

    fn step(&mut self) -> Option<StepRecord> {
        let [kept] = self.array()?;
        let name = u16::from_le_bytes(self.array()?).into();
        let value = u32::from_le_bytes(self.array()?);
        let name = str::from_utf8(self.take(name)?).ok()?.into();
        Some(StepRecord { name, value: self.kept(kept, usize::try_from(value).ok()?)? })
    }

    /// Reads a reply or the value of a step. Fails if `kept` says that no bytes are stored, but `length` is not 0.
    fn kept(&mut self, kept: u8, length: usize) -> Option<Option<Kept>> {
        let stored = self.slice(length)?;
        match kept {
            0 if length == 0 => Some(None),
            1 => Some(Some(Kept::Yes(stored))),
            2 if length == 0 => Some(Some(Kept::No)),
            _ => None,
        }
    }

    /// Reads bytes without copying them.
    fn slice(&mut self, length: usize) -> Option<EntrySlice> {
        let slice = EntrySlice::new(self.entry, self.at, length)?;
        self.at += length;
        Some(slice)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn take(&mut self, length: usize) -> Option<&[u8]> {
        let start = self.at;
        let bytes = self.entry.get(start..start.checked_add(length)?)?;
        self.at += length;
        Some(bytes)
    }
}
