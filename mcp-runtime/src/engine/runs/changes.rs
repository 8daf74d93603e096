//! What a store reports when a record was written, so that nothing has to wait for the next heartbeat.

use std::sync::Arc;

use tokio::sync::broadcast::{self, error::RecvError};

/// The number of reports that a receiver can be behind. One that is further behind takes all runs as changed.
const CAPACITY: usize = 256;

/// Reports the records that were written, by this process or by another one. A store that learns of the writes of other
/// processes at once has one, and returns it from [`RunStore::changes`](super::RunStore::changes).
///
/// Clones report to the same receivers. A report is cheap if nothing waits for it.
#[derive(Clone, Debug)]
pub struct RunChanges(broadcast::Sender<Option<RunChange>>);

/// A record, and the version that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunChange {
    pub(crate) id: Arc<str>,
    pub(crate) version: u64,
}

/// Receives the reports that come after it was created.
pub(crate) struct RunChangeReceiver(broadcast::Receiver<Option<RunChange>>);

impl RunChanges {
    /// Creates a value without receivers.
    pub fn new() -> Self {
        Self(broadcast::Sender::new(CAPACITY))
    }

    /// Reports that the record with this id was stored with this version.
    pub fn written(&self, id: &str, version: u64) {
        if self.0.receiver_count() > 0 {
            drop(self.0.send(Some(RunChange { id: id.into(), version })));
        }
    }

    /// Reports that any record may have been written, for example because the connection to the store was lost.
    pub fn any_written(&self) {
        drop(self.0.send(None));
    }

    pub(crate) fn subscribe(&self) -> RunChangeReceiver {
        RunChangeReceiver(self.0.subscribe())
    }
}

impl Default for RunChanges {
    /// Creates a value without receivers.
    fn default() -> Self {
        Self::new()
    }
}

impl RunChangeReceiver {
    /// Waits for the next report. Returns `None` if any record may have been written.
    pub(crate) async fn next(&mut self) -> Option<RunChange> {
        match self.0.recv().await {
            Ok(change) => change,
            Err(RecvError::Lagged(_)) => None,
            // The store has ended, so nothing is written any more.
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }

    /// Waits until the record with this id may have been written.
    pub(crate) async fn of(&mut self, id: &str) {
        while self.next().await.is_some_and(|change| *change.id != *id) {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_receiver_that_is_behind_takes_all_runs_as_changed() {
        let changes = RunChanges::new();
        let mut receiver = changes.subscribe();
        for version in 0..=CAPACITY as u64 {
            changes.written("id", version);
        }
        assert_eq!(receiver.next().await, None);
        assert_eq!(receiver.next().await, Some(RunChange { id: "id".into(), version: 1 }));
    }

    #[tokio::test]
    async fn a_receiver_waits_for_its_own_run() {
        let changes = RunChanges::new();
        let mut receiver = changes.subscribe();
        changes.written("other", 1);
        changes.written("own", 1);
        receiver.of("own").await;
        changes.any_written();
        receiver.of("own").await;
    }
}
