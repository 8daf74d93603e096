//! A task that removes what has expired, for as long as there is anything.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

use super::{MANY, Shared};

/// Entries that expire within this time are removed together.
const PERIOD: Duration = Duration::from_secs(10);

/// Starts the task, if there is a runtime. Every write removes a few entries as well.
pub(super) fn sweep_later(shared: &Arc<Shared>) {
    let sweeper = Sweeper(Arc::downgrade(shared));
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        drop(runtime.spawn(sweep(sweeper)));
    }
}

async fn sweep(mut sweeper: Sweeper) {
    while let Some(next) = sweeper.sweep() {
        sleep_until(next).await;
    }
}

/// The right to sweep, of one task at most.
struct Sweeper(Weak<Shared>);

impl Sweeper {
    /// Removes some; gives the time to go on, unless nothing is left.
    fn sweep(&mut self) -> Option<Instant> {
        let shared = self.0.upgrade()?;
        let now = Instant::now();
        let mut store = shared.store.lock();
        if store.sweep(now, MANY) {
            return Some(now);
        }
        let Some(expires) = store.next_expiry() else {
            // Under the lock, so that the next entry is not missed; and once, for it has a task of its own then.
            store.is_swept = false;
            self.0 = Weak::new();
            return None;
        };
        Some(expires.max(now + PERIOD))
    }
}

impl Drop for Sweeper {
    /// The runtime may end before the ledger.
    fn drop(&mut self) {
        if let Some(shared) = self.0.upgrade() {
            shared.store.lock().is_swept = false;
        }
    }
}
