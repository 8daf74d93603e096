//! Changes of open runs: answers and cancellations.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{
    RunRecord, RunStatus,
    details::RunDetails,
    manager::{ChangeError, RunManager},
};
use crate::{base::clock, engine::call::conversation::AnswerText};

impl RunManager {
    /// Cancels a run.
    pub(crate) async fn cancel(self: &Arc<Self>, id: &str) -> Result<(), ChangeError> {
        if let Some(feed) = self.live(id) {
            feed.cancel();
            feed.settled().await;
            return Ok(());
        }
        let cancelled = self.change(id, |record, details| {
            record.status = RunStatus::Cancelled;
            details.close_questions();
        });
        cancelled.await
    }

    /// Cancels a run, unless the run has ended.
    pub(crate) async fn cancel_if_open(self: &Arc<Self>, id: &str) -> Result<(), ChangeError> {
        unless_ended(self.cancel(id).await)
    }

    /// Passes answers to a run. The keys of `answers` are the keys of the questions. Unknown keys are ignored.
    pub(crate) async fn answer(&self, id: &str, answers: Map<String, Value>) -> Result<(), ChangeError> {
        if let Some(feed) = self.live(id) {
            for (key, answer) in answers {
                feed.answer(&key, Ok(AnswerText::of_client(answer.to_string())));
            }
            return Ok(());
        }
        let changed = self.change(id, |_, details| {
            for (key, answer) in &answers {
                // Only the first answer counts.
                if details.questions.iter().any(|question| question.key == *key) {
                    details.answers.entry(key).or_insert_with(|| answer.clone());
                }
            }
        });
        unless_ended(changed.await)
    }

    /// Changes the record of an open run that another process executes or executed.
    pub(super) async fn change(
        &self,
        id: &str,
        change: impl Fn(&mut RunRecord, &mut RunDetails),
    ) -> Result<(), ChangeError> {
        loop {
            let found = self.store().load(id).await.map_err(ChangeError::Store)?;
            let Some(mut record) = found else { return Err(ChangeError::Ended(RunStatus::Interrupted)) };
            if !record.status.is_open() {
                return Err(ChangeError::Ended(record.status));
            }
            let (mut details, before, limit) = (record.read_details(), record.bytes, self.settings.open.of_one_run());
            change(&mut record, &mut details);
            record.updated_at = clock::now();
            record.set_details(&details);
            if record.bytes > limit.max(before) {
                return Err(ChangeError::TooLarge(record.bytes, limit));
            }
            if self.store().replace(&record).await.map_err(ChangeError::Store)? {
                return Ok(());
            }
        }
    }
}

fn unless_ended(changed: Result<(), ChangeError>) -> Result<(), ChangeError> {
    match changed {
        Err(ChangeError::Ended(_)) => Ok(()),
        changed => changed,
    }
}
