//! What goes on though nobody waits for it: effects that have begun, and outcomes that are still to be kept.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tokio::{runtime::Handle, sync::Notify};

/// The detached work of a server.
#[derive(Default)]
pub(crate) struct Detached(Arc<Work>);

#[derive(Default)]
struct Work {
    running: AtomicUsize,
    none: Notify,
}

/// One that is not done.
struct Running(Arc<Work>);

impl Detached {
    /// Lets it run, unless the runtime itself is going away.
    pub(super) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let Ok(runtime) = Handle::try_current() else { return };
        self.0.running.fetch_add(1, Ordering::AcqRel);
        let running = Running(Arc::clone(&self.0));
        runtime.spawn(async move {
            let _running = running;
            work.await;
        });
    }

    /// Waits until nothing of it runs any more.
    #[cfg(any(feature = "http", feature = "stdio"))]
    pub(crate) async fn wait(&self) {
        loop {
            let mut none = std::pin::pin!(self.0.none.notified());
            none.as_mut().enable();
            if self.0.running.load(Ordering::Acquire) == 0 {
                return;
            }
            none.await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.0.running.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.none.notify_waiters();
        }
    }
}
