//! Requests of this process that wait for the holder of a round.

use std::time::Duration;

use tokio::{sync::watch, time::timeout};

use crate::{
    base::mutex::Mutex,
    engine::call::call_id::{ByCall, CallId},
};

/// The maximum number of requests that can wait for one call.
const MOST: usize = 16;

/// The channels on which requests wait for changes of a record. Each record that a request waits for has one channel.
#[derive(Default)]
pub(crate) struct Waiters(Mutex<ByCall<watch::Sender<()>>>);

/// One waiting request.
pub(super) struct WaitSlot<'a> {
    waiting: &'a Waiters,
    call: CallId,
    changes: Option<watch::Receiver<()>>,
}

impl Waiters {
    /// Counts a request that waits for this record. Returns `None` if too many requests already wait for it.
    pub(super) fn enter(&self, call: CallId) -> Option<WaitSlot<'_>> {
        let mut calls = self.0.lock();
        let changes = calls.entry(call).or_default();
        let changes = (changes.receiver_count() < MOST).then(|| changes.subscribe())?;
        Some(WaitSlot { waiting: self, call, changes: Some(changes) })
    }

    /// Signals that this process has changed the record.
    pub(super) fn notify(&self, call: CallId) {
        if let Some(changes) = self.0.lock().get(&call) {
            changes.send_replace(());
        }
    }

    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }
}

impl WaitSlot<'_> {
    /// Waits until this process changes the record, but not longer than `limit`.
    pub(super) async fn change(&mut self, limit: Duration) {
        if let Some(changes) = &mut self.changes {
            // The caller reads the record in either case.
            let _ = timeout(limit, changes.changed()).await;
        }
    }
}

impl Drop for WaitSlot<'_> {
    fn drop(&mut self) {
        let mut calls = self.waiting.0.lock();
        self.changes = None;
        if calls.get(&self.call).is_some_and(|changes| changes.receiver_count() == 0) {
            calls.remove(&self.call);
        }
    }
}
