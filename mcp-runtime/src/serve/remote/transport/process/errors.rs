//! The standard error of a process, whose last part explains why something went wrong.

use std::{collections::VecDeque, sync::Arc};

use tokio::{io::AsyncReadExt as _, process::ChildStderr, task::JoinHandle, time::timeout};

use super::ENDING;
use crate::base::mutex::Mutex;

/// How many bytes are kept. Earlier bytes are dropped.
const KEPT: usize = 64 * 1024;

pub(super) struct ErrorOutput {
    /// The last part of what the process has written so far.
    kept: Arc<Mutex<VecDeque<u8>>>,
    reading: JoinHandle<()>,
}

impl ErrorOutput {
    /// Reads standard error in a task, so that the process is never blocked when it writes there.
    pub(super) fn read(stderr: ChildStderr) -> Self {
        let kept = Arc::default();
        let reading = tokio::spawn(keep(stderr, Arc::clone(&kept)));
        Self { kept, reading }
    }

    /// Returns the last part of what the process has written so far.
    pub(super) fn so_far(&self) -> String {
        String::from_utf8_lossy(self.kept.lock().make_contiguous()).into_owned()
    }

    /// Reads the rest of a process that ends.
    pub(super) async fn read_all(&mut self) {
        if !self.reading.is_finished() {
            // A child of the process may keep standard error open, so this wait may never end.
            let _ = timeout(ENDING, &mut self.reading).await;
        }
    }
}

async fn keep(mut stderr: ChildStderr, kept: Arc<Mutex<VecDeque<u8>>>) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = stderr.read(&mut bytes).await {
        let mut kept = kept.lock();
        kept.extend(&bytes[..count]);
        let excess = kept.len().saturating_sub(KEPT);
        kept.drain(..excess);
    }
}
