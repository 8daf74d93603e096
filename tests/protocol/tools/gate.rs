//! A gate that holds calls until a test releases them.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{sync::Semaphore, time::sleep};

/// Releases the calls of `hold`, and counts them.
#[derive(Clone, Default)]
pub(crate) struct Gate(Arc<Held>);

struct Held {
    room: Semaphore,
    running: AtomicUsize,
    most: AtomicUsize,
}

impl Default for Held {
    fn default() -> Self {
        Self { room: Semaphore::new(0), running: AtomicUsize::new(0), most: AtomicUsize::new(0) }
    }
}

impl Gate {
    /// Releases this many calls.
    pub(crate) fn release(&self, calls: usize) {
        self.0.room.add_permits(calls);
    }

    /// Counts a call.
    pub(super) fn enter(&self) -> Counted {
        let running = self.0.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.0.most.fetch_max(running, Ordering::SeqCst);
        Counted(self.clone())
    }

    /// Waits until the test releases a call.
    pub(super) async fn pass(&self) {
        self.0.room.acquire().await.expect("nobody closes it").forget();
    }

    /// Returns how many calls are held now.
    pub(crate) fn running(&self) -> usize {
        self.0.running.load(Ordering::SeqCst)
    }

    /// Returns the maximum number of calls that were held at the same time.
    pub(crate) fn most(&self) -> usize {
        self.0.most.load(Ordering::SeqCst)
    }

    /// Waits until this many calls are held.
    pub(crate) async fn wait_for(&self, calls: usize) {
        let reached = async {
            while self.running() != calls {
                sleep(Duration::from_millis(1)).await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(10), reached).await;
        assert!(waited.is_ok(), "{} calls are held, not {calls}", self.running());
    }
}

/// A call that is held. It is counted until this value is dropped, which happens when the future of the call is
/// dropped.
pub(crate) struct Counted(Gate);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}
