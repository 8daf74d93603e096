//! Changes of open runs: answers and cancellations.

use std::sync::Arc;

use super::{
    RunRecord, RunStatus,
    details::{RunAnswers, RunDetails},
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
        self.change(id, RecordChange::Cancel).await
    }

    /// Cancels a run, unless the run has ended.
    pub(crate) async fn cancel_if_open(self: &Arc<Self>, id: &str) -> Result<(), ChangeError> {
        unless_ended(self.cancel(id).await)
    }

    /// Passes answers to a run. The keys of `answers` are the keys of the questions. Unknown keys are ignored.
    pub(crate) async fn answer(&self, id: &str, answers: RunAnswers) -> Result<(), ChangeError> {
        if let Some(feed) = self.live(id) {
            for (key, answer) in answers {
                feed.answer(&key, Ok(AnswerText::of_client(answer.get())));
            }
            return Ok(());
        }
        unless_ended(self.change(id, RecordChange::Answer(&answers)).await)
    }

    /// Changes the record of an open run that another process executes or executed.
    async fn change(&self, id: &str, change: RecordChange<'_>) -> Result<(), ChangeError> {
        loop {
            let found = self.store().load(id).await.map_err(ChangeError::Store)?;
            let Some(mut record) = found else { return Err(ChangeError::Ended(RunStatus::Interrupted)) };
            if !record.status.is_open() {
                return Err(ChangeError::Ended(record.status));
            }
            let (before, limit) = (record.bytes, self.settings.open.of_one_run());
            change.apply(&mut record);
            record.updated_at = clock::now();
            if record.bytes > limit.max(before) {
                return Err(ChangeError::TooLarge(record.bytes, limit));
            }
            if self.store().replace(&record).await.map_err(ChangeError::Store)? {
                return Ok(());
            }
        }
    }
}

/// A change of a record.
enum RecordChange<'a> {
    Cancel,
    Answer(&'a RunAnswers),
}

impl RecordChange<'_> {
    fn apply(&self, record: &mut RunRecord) {
        match self {
            Self::Cancel => record.close(RunStatus::Cancelled),
            Self::Answer(answers) => {
                let text = Arc::clone(&record.details);
                let mut details = RunDetails::read(&text);
                for (key, answer) in *answers {
                    // Only the first answer counts.
                    if details.questions.iter().any(|question| question.key == *key) {
                        details.answers.entry(key.into()).or_insert(answer);
                    }
                }
                record.set_details(&details);
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
