//! Listens to the writes of all processes. The scripts publish each write in a channel.

use std::{future::poll_fn, pin::pin, time::Duration};

use futures_core::Stream as _;
use redis::{
    Client, RedisError,
    aio::{PubSubSink, PubSubStream},
};
use tokio::{
    task::AbortHandle,
    time::{sleep, timeout},
};

use crate::{
    base::{mutex::Mutex, report::report_limited},
    engine::{
        runs::RunChanges,
        store::redis::{connection::PATIENCE, error::advice},
    },
};

/// The first pause after the connection was lost. Each further failure doubles the pause.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// After this time without a message, the connection is tested. A connection that was cut silently shows no error.
const SILENCE: Duration = Duration::from_secs(10);

/// Reports the writes. The task that listens begins when the reports are first asked for, and ends with this value.
#[derive(Default)]
pub(in crate::engine::store::redis) struct RunListener {
    changes: RunChanges,
    task: Mutex<Option<AbortHandle>>,
}

/// A connection that only receives the messages of one channel.
struct RunSubscription {
    client: Client,
    address: String,
    channel: String,
    changes: RunChanges,
}

impl RunListener {
    /// Returns the reports, and begins to listen if nothing listens.
    pub(super) fn changes(&self, client: &Client, address: &str, channel: String) -> &RunChanges {
        let mut task = self.task.lock();
        // The task ends with its async runtime, which can be another one.
        if task.as_ref().is_none_or(AbortHandle::is_finished) {
            let (client, address, changes) = (client.clone(), address.to_owned(), self.changes.clone());
            let subscription = RunSubscription { client, address, channel, changes };
            *task = Some(tokio::spawn(subscription.listen()).abort_handle());
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

impl RunSubscription {
    async fn listen(self) {
        let mut pause = FIRST_PAUSE;
        loop {
            match timeout(PATIENCE, self.subscribe()).await {
                Ok(Ok((sink, stream))) => {
                    pause = FIRST_PAUSE;
                    // Messages from before the subscription are lost.
                    self.changes.any_written();
                    self.receive(sink, stream).await;
                }
                Ok(Err(error)) => self.report(advice(&error)),
                Err(_) => self.report("does not answer in time"),
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    async fn subscribe(&self) -> Result<(PubSubSink, PubSubStream), RedisError> {
        let (mut sink, stream) = self.client.get_async_pubsub().await?.split();
        sink.subscribe(&self.channel).await?;
        Ok((sink, stream))
    }

    /// Reports each message until the connection is lost.
    async fn receive(&self, mut sink: PubSubSink, stream: PubSubStream) {
        let mut stream = pin!(stream);
        loop {
            match timeout(SILENCE, poll_fn(|cx| stream.as_mut().poll_next(cx))).await {
                Ok(Some(message)) => match read(message.get_payload_bytes()) {
                    Some((id, version)) => self.changes.written(id, version),
                    None => self.changes.any_written(),
                },
                Ok(None) => return,
                Err(_) => {
                    let repeated = timeout(PATIENCE, sink.subscribe(&self.channel)).await;
                    if !matches!(repeated, Ok(Ok(()))) {
                        return;
                    }
                }
            }
        }
    }

    /// The error itself is left out, because some servers repeat the password in errors.
    fn report(&self, advice: &str) {
        report_limited!("changes of runs are noticed late, because Redis at {} {advice}", self.address);
    }
}

/// Reads the id and the version of the record from a message.
fn read(message: &[u8]) -> Option<(&str, u64)> {
    let (version, id) = str::from_utf8(message).ok()?.split_once(' ')?;
    Some((id, version.parse().ok()?))
}
