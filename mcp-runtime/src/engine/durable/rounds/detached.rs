//! Detached tasks. They finish effects that have begun, and store outcomes, even if the client has disconnected.

use tokio::runtime::Handle;

use crate::base::work_count::WorkCount;

/// The tasks of a server that continue after their requests have ended.
#[derive(Default)]
pub(crate) struct Detached(WorkCount);

impl Detached {
    /// Spawns `work` as a task, unless the async runtime is shutting down.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let Ok(runtime) = Handle::try_current() else { return };
        let running = self.0.enter();
        runtime.spawn(async move {
            let _running = running;
            work.await;
        });
    }

    /// Waits until all detached tasks have ended.
    pub(crate) async fn wait(&self) {
        self.0.wait().await;
    }
}
