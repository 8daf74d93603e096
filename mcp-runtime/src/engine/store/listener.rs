//! Learns of the runs that other processes write.

use std::time::Duration;

use tokio::{task::AbortHandle, time::sleep};

use crate::{
    base::{mutex::Mutex, report::report_limited},
    engine::runs::RunChanges,
};

/// The first pause after the store was lost. Each further failure doubles the pause.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Reports the writes. The task that listens begins when the reports are first asked for, and ends with this value.
#[derive(Default)]
pub(super) struct RunListener {
    changes: RunChanges,
    task: Mutex<Option<AbortHandle>>,
}

impl RunListener {
    /// Returns the reports. If nothing listens, starts a task that calls `receive` again and again.
    ///
    /// `receive` connects to the store and reports each write until the connection is lost. It reports that any record
    /// may have been written as soon as it is connected, because it does not know what was written before. It fails if
    /// it cannot connect.
    pub(super) fn changes<F>(&self, receive: impl Fn(RunChanges) -> F + Send + 'static) -> &RunChanges
    where
        F: Future<Output = Result<(), String>> + Send + 'static,
    {
        let mut task = self.task.lock();
        // The task ends with its async runtime, which can be another one.
        if task.as_ref().is_none_or(AbortHandle::is_finished) {
            *task = Some(tokio::spawn(listen(self.changes.clone(), receive)).abort_handle());
        }
        &self.changes
    }
}

impl Drop for RunListener {
    fn drop(&mut self) {
        if let Some(task) = self.task.lock().take() {
            task.abort();
        }
    }
}

async fn listen<F: Future<Output = Result<(), String>>>(changes: RunChanges, receive: impl Fn(RunChanges) -> F) {
    let mut pause = FIRST_PAUSE;
    loop {
        match receive(changes.clone()).await {
            Ok(()) => pause = FIRST_PAUSE,
            Err(reason) => report_limited!("changes of runs are noticed late, because {reason}"),
        }
        sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Reports the write that a message names: the version of the record, a space, and its id.
pub(super) fn report(changes: &RunChanges, message: &str) {
    match message.split_once(' ').map(|(version, id)| (version.parse(), id)) {
        Some((Ok(version), id)) => changes.written(id, version),
        _ => changes.any_written(),
    }
}
