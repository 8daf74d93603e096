//! Stores open calls in the ledger of the server, if the ledger outlives the process.

use std::{collections::BTreeSet, time::Duration};

use tokio::sync::Mutex as AsyncMutex;

use super::{ended::EndedCalls, live::LiveCall, record::CallRecord};
use crate::{
    base::{mutex::Mutex, owned::AmountLimits, report::report_limited},
    engine::{
        call::lease::LedgerError,
        durable::ledger::entries::{LedgerEntries, OpenedEntry},
    },
};

/// The number of parts of the index of open calls. It is split so that a change for one call does not write the ids of
/// all other calls.
const SHARDS: u8 = 16;
/// How often a change is repeated if another writer was first.
const RACES: usize = 32;

/// Stores the calls of one host in the ledger. If the ledger does not outlive the process, stores nothing.
pub(crate) struct CallStore {
    entries: Option<LedgerEntries>,
    /// The name of the host among the hosts of one ledger.
    instance: String,
    keep: Duration,
    /// One lock for each part of the index, held while the part is changed. Most changes come from this process.
    changing: [AsyncMutex<()>; SHARDS as usize],
    /// The ended calls that this process has stored.
    ended: Mutex<EndedCalls>,
}

/// How much more of the ended calls the ledger keeps than the memory, because it keeps them for a day.
const MORE: usize = 4;

impl CallStore {
    /// Creates a store. `ended` are the limits for ended calls in memory.
    pub(crate) fn new(
        entries: Option<LedgerEntries>,
        instance: String,
        keep: Duration,
        AmountLimits { each, all }: AmountLimits,
    ) -> Self {
        let ended = AmountLimits { each: each.times(MORE), all: all.times(MORE) };
        Self { entries, instance, keep, changing: Default::default(), ended: Mutex::new(EndedCalls::new(ended, keep)) }
    }

    /// Returns whether calls survive the end of the process.
    pub(crate) fn is_durable(&self) -> bool {
        self.entries.is_some()
    }

    /// Stores the record of a call, and replaces the earlier record of this call. Only the host that runs the call
    /// stores its records, so the earlier record is never newer than `record`.
    pub(crate) async fn store(&self, record: &CallRecord) -> Result<(), LedgerError> {
        // A record can always be written as JSON.
        let value = serde_json::to_vec(record).unwrap_or_default();
        self.change(&self.name_of(&record.id), |_| Some(value.clone())).await
    }

    /// Removes the oldest ended calls of a user with too many of them in the ledger, or of the users that have most.
    /// `call` has ended, and its record is stored.
    pub(crate) async fn make_room_for_ended(&self, call: &LiveCall) -> Result<(), LedgerError> {
        let Some(entries) = &self.entries else { return Ok(()) };
        let gone = {
            let mut ended = self.ended.lock();
            // The ledger removes these calls itself.
            ended.expire();
            ended.add(call)
        };
        for id in gone {
            let name = self.name_of(&id);
            // An entry cannot be removed, so it becomes empty until it expires.
            let Some(entry) = entries.load(&name).await? else { continue };
            entries.write(&name, Some(entry.version), &[], Duration::from_secs(1)).await?;
        }
        Ok(())
    }

    pub(crate) async fn load(&self, id: &str) -> Result<Option<CallRecord>, LedgerError> {
        let Some(entries) = &self.entries else { return Ok(None) };
        let entry = entries.load(&self.name_of(id)).await?;
        let Some(OpenedEntry { value, .. }) = entry.filter(|entry| !entry.value.is_empty()) else { return Ok(None) };
        Ok(serde_json::from_slice(&value)
            .inspect_err(|error| report_limited!("call `{id}` cannot be read from the ledger: {error}"))
            .ok())
    }

    /// Adds a call to the index of open calls.
    pub(crate) async fn open(&self, id: &str) -> Result<(), LedgerError> {
        self.change_index(shard_of(id), |ids| ids.insert(id.to_owned())).await
    }

    /// Removes a call from the index of open calls.
    pub(crate) async fn close(&self, id: &str) -> Result<(), LedgerError> {
        self.change_index(shard_of(id), |ids| ids.remove(id)).await
    }

    /// Returns the ids of the calls that were open when the previous process ended.
    pub(crate) async fn open_calls(&self) -> Result<Vec<String>, LedgerError> {
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
        let _changing = self.changing[usize::from(shard)].lock().await;
        let change = |before: &[u8]| {
            let mut ids = read_index(before);
            change(&mut ids).then(|| serde_json::to_vec(&ids).unwrap_or_default())
        };
        self.change(&self.name_of_shard(shard), change).await
    }

    /// Changes an entry, and tries again if another writer was first. `change` gets the value of the entry and returns
    /// the new one, or `None` if it stays.
    async fn change(&self, name: &str, change: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Result<(), LedgerError> {
        let Some(entries) = &self.entries else { return Ok(()) };
        for _ in 0..RACES {
            let entry = entries.load(name).await?;
            let seen = entry.as_ref().map(|entry| entry.version);
            let Some(value) = change(entry.as_ref().map_or(&[], |entry| &entry.value)) else { return Ok(()) };
            if entries.write(name, seen, &value, self.keep).await?.is_some() {
                return Ok(());
            }
        }
        Err(LedgerError::failed(format!("too many processes write `{name}` at the same time")))
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
