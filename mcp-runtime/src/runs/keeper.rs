//! Stores a run while it runs: each change of its status at once, and its trace with every heartbeat.

use std::{future::poll_fn, pin::pin, sync::Arc, task::Poll, time::Duration};

use serde_json::Value;
use tokio::time::{Instant, sleep_until};

use super::{RunRecord, RunStore, details::RunDetails, feed::RunFeed};
use crate::{
    call::{clock, conversation::AnswerText},
    report::report_limited,
};

/// The first pause after the store has failed. Each further failure doubles the pause.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

pub(super) struct Keeper {
    pub(super) feed: Arc<RunFeed>,
    pub(super) store: Arc<dyn RunStore>,
    /// The record as it was last written.
    pub(super) record: RunRecord,
    pub(super) details: RunDetails,
    pub(super) heartbeat: Duration,
}

/// The result of a write.
enum StoreOutcome {
    Stored,
    /// Another process has written the record, but the run still belongs to this process.
    Again,
    /// The run no longer belongs to this process.
    Lost,
}

impl Keeper {
    /// Stores each change of the run. Ends when the end of the run is stored, or when the run no longer belongs to this
    /// process.
    pub(super) async fn keep(mut self) {
        let mut changes = self.feed.watch();
        let mut trace_due = Instant::now() + self.heartbeat;
        // Starts from the stored record, because questions and answers may have come before this task began.
        let mut shown = (self.record.status, Vec::new());
        loop {
            changes.mark_unchanged();
            let current = self.shown();
            if self.feed.take_look() || current != shown || trace_due <= Instant::now() {
                if !self.store_all().await {
                    self.feed.cancel();
                    break;
                }
                if self.record.status.is_open() {
                    shown = current;
                    trace_due = Instant::now() + self.heartbeat;
                    continue;
                }
                break;
            }
            let (mut changed, mut due) = (pin!(changes.changed()), pin!(sleep_until(trace_due)));
            poll_fn(|cx| match changed.as_mut().poll(cx) {
                Poll::Ready(_) => Poll::Ready(()),
                Poll::Pending => due.as_mut().poll(cx),
            })
            .await;
        }
        self.feed.settle();
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
        self.record.status = self.feed.status();
        self.feed.describe(&mut self.details);
        self.record.updated_at = clock::now();
        self.record.details = serde_json::to_value(&self.details).unwrap_or_default();
        if self.store.replace(&self.record).await? {
            self.record.version += 1;
            self.feed.set_version(self.record.version);
            return Ok(StoreOutcome::Stored);
        }
        let Some(stored) = self.store.load(&self.record.id).await? else { return Ok(StoreOutcome::Lost) };
        if !stored.status.is_open() || stored.instance != self.record.instance {
            return Ok(StoreOutcome::Lost);
        }
        self.record.version = stored.version;
        let stored: RunDetails = serde_json::from_value(stored.details).unwrap_or_default();
        for (key, answer) in stored.answers {
            self.feed.answer(&key, Ok(AnswerText::of_client(answer_text(&answer))));
        }
        Ok(StoreOutcome::Again)
    }
}

fn answer_text(answer: &Value) -> Arc<str> {
    answer.to_string().into()
}
