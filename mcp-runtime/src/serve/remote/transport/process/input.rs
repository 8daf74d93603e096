//! The standard input of a process. A task writes to it, so that a client can still read what the process writes while the
//! process does not read. Otherwise each of the two could wait for the other.

use std::time::Duration;

use tokio::{io::AsyncWriteExt as _, process::ChildStdin, task::JoinHandle, time::timeout};

use crate::serve::remote::transport::{
    QUEUED_BYTES, TransferError,
    queue::{QueueReceiver, QueueSender, byte_queue},
};

/// How long a message waits for space in the queue of a process that does not read.
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) struct ProcessInput {
    /// `None` after the last message.
    queue: Option<QueueSender<String>>,
    writing: JoinHandle<()>,
}

impl ProcessInput {
    pub(super) fn new(stdin: ChildStdin) -> Self {
        let (queue, queued) = byte_queue(QUEUED_BYTES);
        Self { queue: Some(queue), writing: tokio::spawn(write(stdin, queued)) }
    }

    /// Queues a message. If the process has closed its standard input, `receive` reports the reason.
    ///
    /// # Errors
    /// Fails if the queue is full for a long time.
    pub(super) async fn send(&self, text: &str) -> Result<(), TransferError> {
        let closed = || TransferError::Broken("standard input of the process was closed".to_owned());
        let queue = self.queue.as_ref().ok_or_else(closed)?;
        let line = format!("{text}\n");
        let length = line.len();
        let pushed = timeout(PATIENCE, queue.push(line, length)).await;
        pushed.map(drop).map_err(|_| {
            let seconds = PATIENCE.as_secs();
            let why = format!("the process of the server has not read its standard input for {seconds} s");
            TransferError::Unreachable(why)
        })
    }

    /// Closes standard input as soon as the process has read what was sent, such as a cancellation.
    pub(super) fn finish(&mut self) {
        self.queue = None;
    }

    /// Closes standard input, even if the process does not read the messages that were sent.
    pub(super) fn close(&self) {
        self.writing.abort();
    }
}

impl Drop for ProcessInput {
    fn drop(&mut self) {
        self.close();
    }
}

async fn write(mut stdin: ChildStdin, mut queued: QueueReceiver<String>) {
    while let Some(line) = queued.next().await {
        if stdin.write_all(line.item.as_bytes()).await.is_err() {
            return;
        }
    }
}
