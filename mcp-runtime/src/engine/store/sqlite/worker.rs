//! The thread that owns the connection. SQLite blocks while it uses the disk. Threads of the async runtime must not
//! block.
//!
//! Writes that arrive while the disk is busy form one batch, so that all waiting calls share one write to the disk.

use std::{
    io,
    sync::mpsc::{self, Receiver, Sender},
    thread,
    time::Instant,
};

use tokio::sync::oneshot;

use super::{entries::QueuedSwap, error::PATIENCE, store::StoreFile};
use crate::engine::{call::lease::LedgerError, durable::ledger::Swapped};

/// The maximum number of queued operations that form one batch.
const MOST: usize = 256;

/// Sends operations to the thread that owns the connection. The thread ends when this value is dropped.
pub(super) struct Worker(Sender<Job>);

enum Job {
    /// A read, or a write that does not join a batch.
    Alone(Box<dyn FnOnce(&mut StoreFile) + Send>),
    Write(QueuedSwap, oneshot::Sender<Result<Swapped, LedgerError>>),
}

impl Worker {
    pub(super) fn start(mut store: StoreFile) -> io::Result<Self> {
        let (sender, jobs) = mpsc::channel::<Job>();
        let work = move || {
            while let Ok(job) = jobs.recv() {
                work(&mut store, job, &jobs);
            }
        };
        drop(thread::Builder::new().name("mcp-store".into()).spawn(work)?);
        Ok(Self(sender))
    }

    pub(super) async fn run<T: Send + 'static>(
        &self,
        operation: impl FnOnce(&mut StoreFile) -> Result<T, LedgerError> + Send + 'static,
    ) -> Result<T, LedgerError> {
        let (reply, result) = oneshot::channel();
        let until = Instant::now() + PATIENCE;
        let job = Job::Alone(Box::new(move |store: &mut StoreFile| {
            // The caller may have stopped waiting.
            if !reply.is_closed() {
                drop(reply.send(store.wait_until(until).and_then(|()| operation(store))));
            }
        }));
        self.0.send(job).map_err(|_| ended())?;
        result.await.unwrap_or_else(|_| Err(ended()))
    }

    pub(super) async fn write(&self, write: QueuedSwap) -> Result<Swapped, LedgerError> {
        let (reply, result) = oneshot::channel();
        self.0.send(Job::Write(write, reply)).map_err(|_| ended())?;
        result.await.unwrap_or_else(|_| Err(ended()))
    }
}

/// Runs a job and the jobs queued behind it. The jobs do not depend on each other, so all reads can run before the
/// writes.
fn work(store: &mut StoreFile, job: Job, jobs: &Receiver<Job>) {
    let (mut writes, mut replies) = (Vec::new(), Vec::new());
    for job in [job].into_iter().chain(jobs.try_iter()).take(MOST) {
        match job {
            Job::Alone(operation) => operation(store),
            Job::Write(_, reply) if reply.is_closed() => {}
            Job::Write(write, reply) => {
                writes.push(write);
                replies.push(reply);
            }
        }
    }
    for (reply, result) in replies.into_iter().zip(store.write(&writes)) {
        drop(reply.send(result));
    }
}

fn ended() -> LedgerError {
    LedgerError::failed("the thread of the store has ended: restart the server")
}
