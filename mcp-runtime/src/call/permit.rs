//! The right of a call to run.

use std::sync::Arc;

use tokio::sync::Semaphore;

/// The places that a running call takes: one of the server's, and one of its client's. Dropping it frees them.
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
