//! What goes on though nobody waits for it: effects that have begun, and outcomes that are still to be kept.

use tokio::runtime::Handle;

use crate::call::work_count::WorkCount;

/// The detached work of a server.
#[derive(Default)]
pub(crate) struct Detached(WorkCount);

impl Detached {
    /// Lets it run, unless the runtime itself is going away.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let Ok(runtime) = Handle::try_current() else { return };
        let running = self.0.enter();
        runtime.spawn(async move {
            let _running = running;
            work.await;
        });
    }

    /// Waits until nothing of it runs any more.
    #[cfg(any(feature = "http", feature = "stdio"))]
    pub(crate) async fn wait(&self) {
        self.0.wait().await;
    }
}
