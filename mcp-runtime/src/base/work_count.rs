//! Counts running tasks, and waits for their end.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tokio::sync::Notify;

/// Counts the running tasks of one kind.
#[derive(Default)]
pub(crate) struct WorkCount(Arc<Count>);

#[derive(Default)]
struct Count {
    running: AtomicUsize,
    none: Notify,
}

/// Counts one task as running until this value is dropped.
pub(crate) struct Counted(Arc<Count>);

impl WorkCount {
    pub(crate) fn enter(&self) -> Counted {
        self.0.running.fetch_add(1, Ordering::AcqRel);
        Counted(Arc::clone(&self.0))
    }

    /// Waits until no task runs.
    pub(crate) async fn wait(&self) {
        self.wait_until(|| true).await;
    }

    /// Waits until no task runs and `condition` returns `true`. The condition is checked whenever the last running task
    /// ends.
    pub(crate) async fn wait_until(&self, condition: impl Fn() -> bool) {
        loop {
            let mut none = std::pin::pin!(self.0.none.notified());
            none.as_mut().enable();
            if self.0.running.load(Ordering::Acquire) == 0 && condition() {
                return;
            }
            none.await;
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        if self.0.running.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.none.notify_waiters();
        }
    }
}
