//! A task that removes expired entries and ends when the ledger is empty.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::{
    runtime::Handle,
    task::AbortHandle,
    time::{Instant, sleep_until},
};

use super::entries::{MANY, MemoryEntries};
use crate::base::mutex::Mutex;

/// Entries that expire within this time are removed together.
const PERIOD: Duration = Duration::from_secs(10);

/// Starts the task, if it does not run. It ends with its async runtime, which can end before the ledger. Without a
/// runtime, expired entries are removed by writes, a few entries in each write.
pub(super) fn start(entries: &mut MemoryEntries, store: &Arc<Mutex<MemoryEntries>>) {
    if entries.sweeper.as_ref().is_none_or(AbortHandle::is_finished) {
        let sweep = |runtime: Handle| runtime.spawn(sweep(Arc::downgrade(store))).abort_handle();
        entries.sweeper = Handle::try_current().ok().map(sweep);
    }
}

async fn sweep(store: Weak<Mutex<MemoryEntries>>) {
    while let Some(next) = sweep_some(&store) {
        sleep_until(next).await;
    }
}

/// Removes some entries. Returns the time of the next sweep, or `None` if the ledger is empty.
fn sweep_some(store: &Weak<Mutex<MemoryEntries>>) -> Option<Instant> {
    let store = store.upgrade()?;
    let (now, mut entries) = (Instant::now(), store.lock());
    if entries.sweep(now, MANY) {
        return Some(now);
    }
    let next = entries.next_expiry().map(|expires| expires.max(now + PERIOD));
    if next.is_none() {
        // Cleared under the lock, so that the next write starts a new task.
        entries.sweeper = None;
    }
    next
}
