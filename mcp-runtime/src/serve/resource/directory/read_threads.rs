//! The threads that read a folder. Their number is limited, because a file system that does not answer blocks its
//! thread, and tokio's threads for blocking functions serve the whole program.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{sync::Semaphore, task::spawn_blocking, time::timeout};

use crate::base::error::ToolError;

/// The maximum number of threads that read one folder at the same time.
const MAX_THREADS: usize = 8;

/// The maximum time for which a client waits for a list or a part of a file.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// The limits of one `Directory`. Its clones share the threads.
#[derive(Clone, Debug)]
pub(super) struct ReadThreads {
    free: Arc<Semaphore>,
    limit: Duration,
}

impl ReadThreads {
    pub(super) fn new() -> Self {
        Self { free: Arc::new(Semaphore::new(MAX_THREADS)), limit: TIME_LIMIT }
    }

    /// Runs a function that blocks. The function gets the time at which the client stops waiting for the result.
    ///
    /// # Errors
    /// Fails after the time limit. The thread stays in use until the function ends.
    pub(super) fn run<T: Send + 'static>(
        &self,
        read: impl FnOnce(Instant) -> Result<T, ToolError> + Send + 'static,
    ) -> impl Future<Output = Result<T, ToolError>> + Send + 'static {
        let Self { free, limit } = self.clone();
        async move {
            let until = Instant::now() + limit;
            let running = async {
                let thread = free.acquire_owned().await?;
                let read = move || {
                    let _thread = thread;
                    read(until)
                };
                spawn_blocking(read).await?
            };
            timeout(limit, running).await.unwrap_or_else(|_| {
                Err(format!("the folder was not read within {} seconds; try again later", limit.as_secs()).into())
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn a_file_system_that_does_not_answer_blocks_a_limited_number_of_threads() {
        let threads = ReadThreads { limit: Duration::from_millis(20), ..ReadThreads::new() };
        let (started, starts) = mpsc::channel();
        let (releases, reads): (Vec<_>, Vec<_>) = (0..MAX_THREADS * 3)
            .map(|_| {
                let (release, released) = mpsc::channel::<()>();
                let started = started.clone();
                let read = threads.run(move |_| {
                    started.send(())?;
                    // Blocks until the test drops the other end.
                    let _ = released.recv();
                    Ok(())
                });
                (release, tokio::spawn(read))
            })
            .unzip();
        for read in reads {
            let error = read.await.unwrap().unwrap_err().to_string();
            assert!(error.contains("try again later"), "{error}");
        }
        (0..MAX_THREADS).for_each(|_| starts.recv().unwrap());
        assert!(starts.try_recv().is_err());
        drop(releases);
        let patient = ReadThreads { limit: TIME_LIMIT, ..threads };
        assert_eq!(patient.run(|_| Ok(7)).await.unwrap(), 7);
    }
}
