//! The thread that owns the connection: SQLite waits for the disk, and the threads of the runtime must not.

use std::{
    io,
    sync::mpsc::{self, Sender},
    thread,
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

use super::{LedgerError, store::Store};

/// How long an operation may wait for those before it, and for other processes.
pub(super) const PATIENCE: Duration = Duration::from_secs(3);

/// Hands operations to the thread, which ends with it.
pub(super) struct Worker(Sender<Job>);

type Job = Box<dyn FnOnce(&mut Store) + Send>;

impl Worker {
    pub(super) fn start(mut store: Store) -> io::Result<Self> {
        let (sender, jobs) = mpsc::channel::<Job>();
        let work = move || {
            for job in jobs {
                job(&mut store);
            }
        };
        drop(thread::Builder::new().name("mcp-ledger".into()).spawn(work)?);
        Ok(Self(sender))
    }

    pub(super) async fn run<T: Send + 'static>(
        &self,
        operation: impl FnOnce(&mut Store) -> Result<T, LedgerError> + Send + 'static,
    ) -> Result<T, LedgerError> {
        let (reply, result) = oneshot::channel();
        let until = Instant::now() + PATIENCE;
        let job = Box::new(move |store: &mut Store| {
            // Whoever asked may be gone by now.
            if !reply.is_closed() {
                drop(reply.send(store.wait_until(until).and_then(|()| operation(store))));
            }
        });
        let ended = || LedgerError::failed("the thread of the ledger has ended: start the server again");
        self.0.send(job).map_err(|_| ended())?;
        result.await.unwrap_or_else(|_| Err(ended()))
    }
}
