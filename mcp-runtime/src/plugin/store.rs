//! Stores open calls in the ledger of the server, if the ledger outlives the process.

use std::{collections::BTreeSet, time::Duration};

use tokio::sync::Mutex as AsyncMutex;

use super::record::CallRecord;
use crate::{
    call::hold::LedgerError,
    durable::ledger::entries::{LedgerEntries, OpenedEntry},
    report::report_limited,
};

/// The number of parts of the index of open calls. It is split so that a change for one call does not write the ids of
/// all other calls.
const SHARDS: u8 = 16;
/// How often a change of the index is repeated if another writer was first.
const RACES: usize = 32;

/// Stores the calls of one host in the ledger. If the ledger does not outlive the process, stores nothing.
pub(super) struct CallStore {
    entries: Option<LedgerEntries>,
    /// The name of the host among the hosts of one ledger.
    instance: String,
    keep: Duration,
    /// One lock for each part of the index, held while the part is changed. Most changes come from this process.
    changing: [AsyncMutex<()>; SHARDS as usize],
}

impl CallStore {
    pub(super) fn new(entries: Option<LedgerEntries>, instance: String, keep: Duration) -> Self {
        Self { entries, instance, keep, changing: Default::default() }
    }

    /// Returns whether calls survive the end of the process.
    pub(super) fn is_durable(&self) -> bool {
        self.entries.is_some()
    }

    /// Stores the record of a call, and replaces the earlier record of this call. Only the host that runs the call
    /// stores its records, so the earlier record is never newer than `record`.
    pub(super) async fn store(&self, record: &CallRecord) -> Result<(), LedgerError> {
        let Some(entries) = &self.entries else { return Ok(()) };
        let name = self.name_of(&record.id);
        // A record can always be written as JSON.
        let value = serde_json::to_vec(record).unwrap_or_default();
        for _ in 0..RACES {
            let seen = entries.load(&name).await?.map(|entry| entry.version);
            if entries.write(&name, seen, &value, self.keep).await?.is_some() {
                return Ok(());
            }
        }
        Err(LedgerError::failed("another process also writes the record of this call"))
    }

    pub(super) async fn load(&self, id: &str) -> Result<Option<CallRecord>, LedgerError> {
        let Some(entries) = &self.entries else { return Ok(None) };
        let Some(OpenedEntry { value, .. }) = entries.load(&self.name_of(id)).await? else { return Ok(None) };
        Ok(serde_json::from_slice(&value)
            .inspect_err(|error| report_limited!("call `{id}` cannot be read from the ledger: {error}"))
            .ok())
    }

    /// Adds a call to the index of open calls.
    pub(super) async fn open(&self, id: &str) -> Result<(), LedgerError> {
        self.change_index(shard_of(id), |ids| ids.insert(id.to_owned())).await
    }

    /// Removes a call from the index of open calls.
    pub(super) async fn close(&self, id: &str) -> Result<(), LedgerError> {
        self.change_index(shard_of(id), |ids| ids.remove(id)).await
    }

    /// Returns the ids of the calls that were open when the previous process ended.
    pub(super) async fn open_calls(&self) -> Result<Vec<String>, LedgerError> {
        let Some(entries) = &self.entries else { return Ok(Vec::new()) };
        let mut ids = Vec::new();
        for shard in 0..SHARDS {
            if let Some(entry) = entries.load(&self.name_of_shard(shard)).await? {
                ids.extend(read_index(&entry.value));
            }
        }
        Ok(ids)
    }

    /// Changes a part of the index. `change` returns whether it has changed anything.
    async fn change_index(&self, shard: u8, change: impl Fn(&mut BTreeSet<String>) -> bool) -> Result<(), LedgerError> {
        let Some(entries) = &self.entries else { return Ok(()) };
        let name = self.name_of_shard(shard);
        let _changing = self.changing[usize::from(shard)].lock().await;
        for _ in 0..RACES {
            let entry = entries.load(&name).await?;
            let seen = entry.as_ref().map(|entry| entry.version);
            let mut ids = entry.map(|entry| read_index(&entry.value)).unwrap_or_default();
            if !change(&mut ids) {
                return Ok(());
            }
            let value = serde_json::to_vec(&ids).unwrap_or_default();
            if entries.write(&name, seen, &value, self.keep).await?.is_some() {
                return Ok(());
            }
        }
        Err(LedgerError::failed("too many processes write the index of open calls at the same time"))
    }

    fn name_of(&self, id: &str) -> String {
        format!("plugin:{}:{id}", self.instance)
    }

    fn name_of_shard(&self, shard: u8) -> String {
        format!("plugin:{}:open:{shard}", self.instance)
    }
}

fn read_index(value: &[u8]) -> BTreeSet<String> {
    serde_json::from_slice(value).unwrap_or_default()
}

/// Returns the part of the index that has this call. Ids are random hexadecimal digits.
fn shard_of(id: &str) -> u8 {
    id.bytes().next_back().map_or(0, |digit| digit % SHARDS)
}
