//! A call that waits for a run: it gets the run's log messages and progress, and asks its questions.

use std::{future::poll_fn, pin::pin, sync::Arc, task::Poll, time::Duration};

use tokio::time::{Instant, sleep_until};

use super::{RunStoreError, begin::BegunRun, feed::RunFeed, manager::RunManager, trace::TraceEvent};
use crate::{
    engine::call::{Call, Progress, ask::Asking, conversation::WireQuestion},
    wire::protocol::capability::Capabilities,
};

impl RunManager {
    /// Waits for the end of the run, or for the time limit. Returns earlier if the run asks something that the client
    /// of `caller` cannot answer.
    pub(crate) async fn wait(&self, id: &str, caller: &Call) -> Result<(), RunStoreError> {
        match self.live(id) {
            Some(feed) => {
                self.follow(&feed, caller).await;
                Ok(())
            }
            None => self.wait_for_stored(id, caller).await,
        }
    }

    /// Waits like `wait`, but for a run that this process has just begun. Even if the run has already ended, the client
    /// gets its log messages and its progress.
    pub(crate) async fn wait_for_begun(&self, run: &BegunRun, caller: &Call) {
        self.follow(&run.feed, caller).await;
    }

    async fn follow(&self, feed: &Arc<RunFeed>, caller: &Call) {
        Follower { feed, caller, heard: 0, asked: Vec::new() }.follow(self.wait_limit()).await;
    }
}

struct Follower<'a> {
    feed: &'a Arc<RunFeed>,
    caller: &'a Call,
    /// The number of the first entry of the trace that was not passed on.
    heard: u64,
    /// The questions that the client is asked, by their keys in the run.
    asked: Vec<(String, Asking<'a>)>,
}

impl Follower<'_> {
    async fn follow(mut self, limit: Duration) {
        let mut until = Instant::now() + limit;
        let mut changes = self.feed.watch();
        loop {
            changes.mark_unchanged();
            // `is_settled` is read before the trace, because a run that has ended at this point adds nothing more to
            // its trace.
            let is_settled = self.feed.is_settled();
            self.pass_on();
            if is_settled || !self.ask() {
                return;
            }
            let (mut changed, mut late) = (pin!(changes.changed()), pin!(sleep_until(until)));
            let next = poll_fn(|cx| {
                for (key, asking) in &self.asked {
                    if let Poll::Ready(answer) = asking.poll_answer(false, cx) {
                        return Poll::Ready(FollowEvent::Answer(key.clone(), answer));
                    }
                }
                if changed.as_mut().poll(cx).is_ready() {
                    return Poll::Ready(FollowEvent::Changed);
                }
                // While a question is open, the time limit does not apply.
                if self.asked.is_empty() { late.as_mut().poll(cx).map(|()| FollowEvent::Late) } else { Poll::Pending }
            })
            .await;
            match next {
                FollowEvent::Answer(key, answer) => {
                    self.asked.retain(|(other, _)| *other != key);
                    self.feed.answer(&key, answer);
                    until = Instant::now() + limit;
                }
                FollowEvent::Changed => {}
                FollowEvent::Late => return,
            }
        }
    }

    /// Passes on the log messages and the progress since the last time.
    fn pass_on(&mut self) {
        let (entries, next) = self.feed.since(self.heard);
        self.heard = next;
        let call = &self.caller.0;
        for entry in entries {
            match &entry.event {
                TraceEvent::Log { level, data } => call.log(*level, call.tool_name(), data),
                TraceEvent::Progress(report) => {
                    let mut progress = Progress::new(call, report.progress);
                    if let Some(total) = report.total {
                        progress = progress.total(total);
                    }
                    drop(match &report.message {
                        Some(message) => progress.message(message.clone()),
                        None => progress,
                    });
                }
                _ => {}
            }
        }
    }

    /// Asks the client the questions of the run. Returns `false` if the client cannot answer one of them.
    fn ask(&mut self) -> bool {
        let open = self.feed.questions();
        self.asked.retain(|(key, _)| open.iter().any(|question| question.key == *key));
        let capabilities = self.caller.0.client().capabilities();
        for question in open {
            if self.asked.iter().any(|(key, _)| *key == question.key) {
                continue;
            }
            if !can_answer(capabilities, &question) {
                return false;
            }
            let asking = Asking::new(&self.caller.0, question.name.clone());
            asking.forward(&question);
            self.asked.push((question.key.into_owned(), asking));
        }
        true
    }
}

enum FollowEvent {
    Answer(String, crate::engine::call::conversation::Answer),
    Changed,
    Late,
}

pub(super) fn can_answer(capabilities: Capabilities, question: &WireQuestion) -> bool {
    question.needs.without(capabilities).is_empty()
}
