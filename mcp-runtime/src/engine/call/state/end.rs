//! The end of a call.

use std::sync::{
    OnceLock,
    atomic::{AtomicBool, Ordering},
};

use tokio::sync::Notify;

/// Records whether a call has ended. After the end of the call, clones of its context send nothing.
#[derive(Default)]
pub(crate) struct End {
    over: AtomicBool,
    cancelled: OnceLock<()>,
    notify: Notify,
}

impl End {
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    pub(crate) fn finish(&self) {
        self.over.store(true, Ordering::Release);
    }

    pub(crate) fn cancel(&self) {
        self.finish();
        // Wakes current waiters; later ones see the flag.
        if self.cancelled.set(()).is_ok() {
            self.notify.notify_waiters();
        }
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.get().is_some()
    }

    pub(crate) async fn cancelled(&self) {
        let notified = self.notify.notified();
        tokio::pin!(notified);
        // Registered before the flag is read, so that a cancellation in between is not missed.
        notified.as_mut().enable();
        if !self.is_cancelled() {
            notified.await;
        }
    }
}
