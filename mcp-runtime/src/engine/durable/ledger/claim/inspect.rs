//! Reads the record of a call without claiming it, for the development page.

use std::sync::Arc;

use serde_json::Value;

use super::claims::Claims;
use crate::engine::{
    call::{call_id::CallId, entry_slice::EntrySlice, lease::LedgerError, ledger_time::LedgerTime},
    durable::ledger::{
        LedgerVersion,
        record::{Kept, Lease, Record, RecordEntry, RecordKey, Status},
    },
};

/// The record of a call with its sealed parts opened.
#[derive(Debug)]
pub(crate) struct InspectedRecord {
    pub(crate) round: u32,
    /// `open`, `running`, `begun` or `done`.
    pub(crate) status: &'static str,
    /// The holder of the lease, and when the lease expires.
    pub(crate) lease: Option<(u64, LedgerTime)>,
    /// The latest reply: an object with the member `result` or `error`. `None` if there is none, or if it was too long to
    /// keep.
    pub(crate) reply: Option<Value>,
    pub(crate) steps: Vec<(String, Option<Value>)>,
    /// The journal, as text.
    pub(crate) journal: Option<EntrySlice>,
    pub(crate) version: LedgerVersion,
}

impl Claims {
    /// Returns the record of a call, or `None` if there is none or it has expired.
    pub(crate) async fn inspect(self: &Arc<Self>, key: RecordKey) -> Result<Option<InspectedRecord>, LedgerError> {
        let Some(RecordEntry { record, version }) = self.load_record(key).await? else { return Ok(None) };
        let Record { round, status, reply, journal, steps } = record;
        let (status, lease) = match status {
            Status::Open => ("open", None),
            Status::Running(lease) => ("running", Some(lease)),
            Status::Begun(lease) => ("begun", Some(lease)),
            Status::Done => ("done", None),
        };
        let steps = steps.into_iter().map(|step| {
            let value = step.value.and_then(|value| self.opened_json(key.call, value, |text| text.to_vec()));
            (step.name.into_string(), value)
        });
        Ok(Some(InspectedRecord {
            round,
            status,
            lease: lease.map(|Lease { holder, until }| (holder, until)),
            // A stored reply is a member of the response.
            reply: reply.and_then(|reply| self.opened_json(key.call, reply, |member| [b"{", member, b"}"].concat())),
            steps: steps.collect(),
            journal: journal.and_then(|journal| self.opened_journal(key.call, journal)),
            version,
        }))
    }

    fn opened_json(&self, call: CallId, kept: Kept, whole: impl Fn(&[u8]) -> Vec<u8>) -> Option<Value> {
        let Kept::Yes(stored) = kept else { return None };
        serde_json::from_slice(&whole(&self.opened_for(call, stored)?)).ok()
    }
}
