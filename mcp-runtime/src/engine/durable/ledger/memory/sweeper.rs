//! A task that removes expired entries and ends when the ledger is empty.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

use super::entries::{MANY, MemoryEntries};
use crate::base::mutex::Mutex;

/// Entries that expire within this time are removed together.
const PERIOD: Duration = Duration::from_secs(10);

/// Starts the task that removes expired entries. Without an async runtime, no task starts. Expired entries are
/// then removed by writes, a few entries in each write.
pub(super) fn sweep_later(store: &Arc<Mutex<MemoryEntries>>) {
    let sweeper = StoreSweeper(Arc::downgrade(store));
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        drop(runtime.spawn(sweep(sweeper)));
    }
}

async fn sweep(mut sweeper: StoreSweeper) {
    while let Some(next) = sweeper.sweep() {
        sleep_until(next).await;
    }
}

/// Removes expired entries. At most one task of a ledger has this value.
struct StoreSweeper(Weak<Mutex<MemoryEntries>>);

impl StoreSweeper {
    /// Removes some entries. Returns the time of the next sweep, or `None` if the ledger is empty.
    fn sweep(&mut self) -> Option<Instant> {
        let store = self.0.upgrade()?;
        let now = Instant::now();
        let mut store = store.lock();
        if store.sweep(now, MANY) {
            return Some(now);
        }
        let Some(expires) = store.next_expiry() else {
            // Cleared under the lock, so that the next write starts a new task. `drop` does not clear it again.
            store.is_swept = false;
            self.0 = Weak::new();
            return None;
        };
        Some(expires.max(now + PERIOD))
    }
}

impl Drop for StoreSweeper {
    /// Records that the task has ended, so that the next write starts a new one. The async runtime can end before the
    /// ledger.
    fn drop(&mut self) {
        if let Some(store) = self.0.upgrade() {
            store.lock().is_swept = false;
        }
    }
}
