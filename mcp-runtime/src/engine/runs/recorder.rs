//! Stores a run while it runs: each change of its status at once, and its trace with every heartbeat.

use std::{future::poll_fn, pin::pin, sync::Arc, task::Poll, time::Duration};

use tokio::time::{Instant, sleep_until};

use super::{
    RunRecord, RunStore,
    feed::{EndFn, RunFeed},
};
use crate::{
    base::{clock, report::report_limited},
    engine::call::conversation::AnswerText,
    wire::protocol::result::CallToolResult,
};

/// The first pause after the store has failed. Each further failure doubles the pause.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

pub(super) struct RunRecorder {
    pub(super) feed: Arc<RunFeed>,
    pub(super) store: Arc<dyn RunStore>,
    /// The record as it was last written.
    pub(super) record: RunRecord,
    pub(super) heartbeat: Duration,
    /// The most bytes that the run can take after its end.
    pub(super) limit: u64,
    pub(super) end: EndFn,
}

/// The result of a write.
enum StoreOutcome {
    Stored,
    /// Another process has written the record, but the run still belongs to this process.
    Again,
    /// The run no longer belongs to this process.
    Lost,
}

impl RunRecorder {
    /// Stores each change of the run. Ends when the end of the run is stored, or when the run no longer belongs to this
    /// process. Returns the record as it was last written.
    pub(super) async fn record(mut self) -> RunRecord {
        let mut changes = self.feed.watch();
        let mut trace_due = Instant::now() + self.heartbeat;
        // Starts from the stored record, because questions and answers may have come before this task began.
        let mut shown = (self.record.status, Vec::new());
        // The number of changes of the run that are stored.
        let mut stored = 0;
        loop {
            let count = *changes.borrow_and_update();
            let current = self.shown();
            let is_due = trace_due <= Instant::now();
            if is_due {
                trace_due = Instant::now() + self.heartbeat;
            }
            if self.feed.take_look() || current != shown || is_due && count != stored {
                if !self.store_all().await {
                    self.feed.cancel();
                    break;
                }
                if !self.record.status.is_open() {
                    break;
                }
                (shown, stored) = (current, count);
                trace_due = Instant::now() + self.heartbeat;
                continue;
            }
            let (mut changed, mut due) = (pin!(changes.changed()), pin!(sleep_until(trace_due)));
            poll_fn(|cx| match changed.as_mut().poll(cx) {
                Poll::Ready(_) => Poll::Ready(()),
                Poll::Pending => due.as_mut().poll(cx),
            })
            .await;
        }
        self.feed.settle();
        self.record
    }

    /// Returns the parts of the run whose changes are stored immediately.
    fn shown(&self) -> (super::RunStatus, Vec<String>) {
        let keys = self.feed.questions().into_iter().map(|question| question.key.into_owned());
        (self.feed.status(), keys.collect())
    }

    /// Writes the run, and retries until the store has written it. Returns `false` if the run no longer belongs to this
    /// process.
    async fn store_all(&mut self) -> bool {
        let mut pause = FIRST_PAUSE;
        loop {
            match self.store_once().await {
                Ok(StoreOutcome::Stored) => return true,
                Ok(StoreOutcome::Again) => {}
                Ok(StoreOutcome::Lost) => return false,
                Err(error) => {
                    report_limited!("run `{}` is not stored: {error}; trying again", self.record.id);
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    async fn store_once(&mut self) -> Result<StoreOutcome, super::RunStoreError> {
        self.record.updated_at = clock::now();
        self.feed.describe(&mut self.record, true);
        if !self.record.status.is_open() {
            self.limit_bytes();
        }
        // Set before the write, because the report of the write can come before its result.
        self.feed.set_version(self.record.version + 1);
        if self.store.replace(&self.record).await? {
            self.record.version += 1;
            return Ok(StoreOutcome::Stored);
        }
        let Some(stored) = self.store.load(&self.record.id).await? else { return Ok(StoreOutcome::Lost) };
        if !stored.status.is_open() || stored.instance != self.record.instance {
            return Ok(StoreOutcome::Lost);
        }
        self.record.version = stored.version;
        for (key, answer) in stored.read_details().answers {
            self.feed.answer(&key, Ok(AnswerText::of_client(answer.get())));
        }
        Ok(StoreOutcome::Again)
    }

    /// Makes an ended run fit into the limit: without its trace, or else with an error instead of its result.
    fn limit_bytes(&mut self) {
        if self.record.bytes <= self.limit {
            return;
        }
        self.feed.describe(&mut self.record, false);
        if self.record.bytes <= self.limit {
            return;
        }
        let (bytes, limit) = (self.record.bytes, self.limit);
        let message = format!(
            "the run has ended, but it takes {bytes} bytes with its result, and at most {limit} bytes can be kept; \
             return less, or store the result elsewhere and return where it is"
        );
        self.feed.replace_end((self.end)(Ok(CallToolResult::error(message))));
        self.feed.describe(&mut self.record, false);
    }
}
