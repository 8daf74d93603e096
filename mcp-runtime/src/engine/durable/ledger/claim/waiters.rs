//! Requests of this process that wait for the holder of a round.

use std::{collections::HashMap, time::Duration};

use crate::base::mutex::Mutex;
use tokio::{sync::watch, time::timeout};

/// The maximum number of requests that can wait for one call.
const MOST: usize = 16;

/// The channels on which requests wait for changes of a record. Each record that a request waits for has one channel.
#[derive(Default)]
pub(crate) struct Waiters(Mutex<HashMap<Box<str>, watch::Sender<()>>>);

/// One waiting request.
pub(super) struct WaitSlot<'a> {
    waiting: &'a Waiters,
    name: &'a str,
    changes: Option<watch::Receiver<()>>,
}

impl Waiters {
    /// Counts a request that waits for this record. Returns `None` if too many requests already wait for it.
    pub(super) fn enter<'a>(&'a self, name: &'a str) -> Option<WaitSlot<'a>> {
        let mut calls = self.0.lock();
        let changes = match calls.get(name) {
            Some(call) if call.receiver_count() < MOST => call.subscribe(),
            Some(_) => return None,
            None => calls.entry(name.into()).or_default().subscribe(),
        };
        Some(WaitSlot { waiting: self, name, changes: Some(changes) })
    }

    /// Signals that this process has changed the record.
    pub(super) fn notify(&self, name: &str) {
        if let Some(call) = self.0.lock().get(name) {
            call.send_replace(());
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
        if calls.get(self.name).is_some_and(|call| call.receiver_count() == 0) {
            calls.remove(self.name);
        }
    }
}
