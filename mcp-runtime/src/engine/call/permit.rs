//! The permit of a running call.

use std::sync::Arc;

use tokio::sync::Semaphore;

/// The concurrency slots of a running call: one slot of the server and one slot of the client. Dropping the permit
/// releases them.
#[derive(Default)]
pub(crate) struct Permit {
    pub(crate) of_server: Option<Arc<Semaphore>>,
    pub(crate) of_client: Option<Arc<Semaphore>>,
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.of_server.iter().chain(&self.of_client).for_each(|places| places.add_permits(1));
    }
}
