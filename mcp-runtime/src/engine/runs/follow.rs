//! A call that waits for a run: it gets the run's log messages and progress, and asks its questions. If another server
//! process executes the run, the call reads the run from the store, and gets only its questions.

use std::{future::poll_fn, pin::pin, task::Poll, time::Duration};

use serde::{Deserialize, de::IgnoredAny};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::{
    RunRecord, RunStoreError,
    begin::BegunRun,
    details::{RunAnswers, RunQuestion},
    feed::RunFeed,
    manager::{ChangeError, RunManager},
    trace::TraceEvent,
};
use crate::{
    engine::call::{
        Call, Progress,
        ask::Asking,
        conversation::{Answer, Fingerprint, WireQuestion},
    },
    wire::protocol::{
        capability::{Capabilities, Capability},
        json::json_of,
    },
};

/// How often the run is read from a store that does not report changes.
const POLL: Duration = Duration::from_millis(500);

impl RunManager {
    /// Waits for the end of the run, or for the time limit. Returns earlier if the run asks something that the client
    /// of `caller` cannot answer.
    pub(crate) async fn wait(&self, id: &str, caller: &Call) -> Result<(), RunStoreError> {
        match self.live(id) {
            Some(feed) => {
                self.follow(&feed, caller).await;
                Ok(())
            }
            None => self.follow_stored(id, caller).await,
        }
    }

    /// Waits like `wait`, but for a run that this process has just begun. Even if the run has already ended, the client
    /// gets its log messages and its progress.
    pub(crate) async fn wait_for_begun(&self, run: &BegunRun, caller: &Call) {
        self.follow(&run.feed, caller).await;
    }

    async fn follow(&self, feed: &RunFeed, caller: &Call) {
        let limit = self.wait_limit();
        let (mut until, mut changes) = (Instant::now() + limit, feed.watch());
        let (mut heard, mut questions) = (0, ForwardedQuestions::new(caller));
        loop {
            changes.mark_unchanged();
            // `is_settled` is read before the trace, because a run that has ended at this point adds nothing more to
            // its trace.
            let is_settled = feed.is_settled();
            heard = pass_on(feed, heard, caller);
            if is_settled || !questions.ask(feed.questions()) {
                return;
            }
            let is_asking = !questions.asked.is_empty();
            let is_late = async {
                // While a question is open, the time limit does not apply.
                if is_asking {
                    drop(changes.changed().await);
                    return false;
                }
                timeout_at(until, changes.changed()).await.is_err()
            };
            match questions.next(is_late).await {
                Ok((key, answer)) => {
                    feed.answer(&key, answer);
                    until = Instant::now() + limit;
                }
                Err(true) => return,
                Err(false) => {}
            }
        }
    }

    /// Waits for the end of a run of another process, or for the time limit. Asks the client of `caller` the questions
    /// of the run, and stores the answers for that process.
    async fn follow_stored(&self, id: &str, caller: &Call) -> Result<(), RunStoreError> {
        let limit = self.settings.wait;
        let mut changes = self.changes();
        let poll = if changes.is_some() { self.settings.heartbeat } else { POLL };
        let (mut until, mut questions) = (Instant::now() + limit, ForwardedQuestions::new(caller));
        loop {
            let Some(run) = self.store().load(id).await?.filter(|run| run.status.is_open()) else { return Ok(()) };
            if !unanswered(&run).is_some_and(|open| questions.ask(open)) {
                return Ok(());
            }
            // Until it is time to look at the run again: when the store reports a change, and otherwise after `poll`.
            let changed = async {
                match &mut changes {
                    Some(changes) => drop(timeout(poll, changes.of(id)).await),
                    None => sleep(poll).await,
                }
            };
            match questions.next(changed).await {
                Ok((key, Ok(answer))) => {
                    match self.answer(id, RunAnswers::from([(key, json_of(&answer).to_owned())])).await {
                        Ok(()) => {}
                        Err(ChangeError::Store(error)) => return Err(error),
                        // An answer that is too large is not stored, so the question stays open.
                        Err(ChangeError::TooLarge(..) | ChangeError::Ended(_)) => return Ok(()),
                    }
                    until = Instant::now() + limit;
                }
                // An error cannot be stored as an answer, so the question stays open.
                Ok((_, Err(_))) => return Ok(()),
                Err(()) if questions.asked.is_empty() && until <= Instant::now() => return Ok(()),
                Err(()) => {}
            }
        }
    }
}

/// The questions of a run that the client of a call is asked, by their keys in the run.
struct ForwardedQuestions<'a> {
    caller: &'a Call,
    asked: Vec<(String, Asking<'a>)>,
}

impl<'a> ForwardedQuestions<'a> {
    fn new(caller: &'a Call) -> Self {
        Self { caller, asked: Vec::new() }
    }

    /// Asks the client the open questions of the run that it is not asked yet. Returns `false` if it cannot answer one
    /// of them.
    fn ask(&mut self, open: Vec<WireQuestion>) -> bool {
        self.asked.retain(|(key, _)| open.iter().any(|question| question.key == *key));
        let capabilities = self.caller.0.client().capabilities();
        for question in open {
            if self.asked.iter().any(|(key, _)| *key == question.key) {
                continue;
            }
            if !question.needs.without(capabilities).is_empty() {
                return false;
            }
            let asking = Asking::new(self.caller, question.name.clone());
            asking.forward(&question);
            self.asked.push((question.key.into_owned(), asking));
        }
        true
    }

    /// Returns the first answer with the key of its question, or the output of `pause` when it ends.
    async fn next<T>(&mut self, pause: impl Future<Output = T>) -> Result<(String, Answer), T> {
        let mut pause = pin!(pause);
        let (index, answer) = poll_fn(|cx| {
            for (index, (_, asking)) in self.asked.iter().enumerate() {
                if let Poll::Ready(answer) = asking.poll_answer(false, cx) {
                    return Poll::Ready(Ok((index, answer)));
                }
            }
            pause.as_mut().poll(cx).map(Err)
        })
        .await?;
        Ok((self.asked.remove(index).0, answer))
    }
}

/// Passes on the log messages and the progress, from the entry `number` of the trace on. Returns the number of the next
/// entry.
fn pass_on(feed: &RunFeed, number: u64, call: &Call) -> u64 {
    let (entries, next) = feed.since(number);
    for entry in entries {
        match &entry.event {
            TraceEvent::Log { level, data } => call.0.log(*level, call.target().name(), data),
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
    next
}

/// Returns the questions that no process has got an answer to. Returns `None` if this version of the server does not
/// know one of them.
fn unanswered(run: &RunRecord) -> Option<Vec<WireQuestion>> {
    let details = run.read_details();
    details.questions.iter().filter(|question| !details.answers.contains_key(&question.key)).map(wire).collect()
}

/// Returns the question in the form in which a call asks it. Returns `None` if this version of the server does not know
/// this kind of question.
fn wire(question: &RunQuestion<'_>) -> Option<WireQuestion> {
    /// The parameters on which the needed capability depends.
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct QuestionParams {
        mode: Option<String>,
        tools: Option<IgnoredAny>,
    }
    let params: QuestionParams = serde_json::from_str(question.params.get()).unwrap_or_default();
    let (method, needs) = match &*question.method {
        "elicitation/create" if params.mode.as_deref() == Some("url") => {
            ("elicitation/create", Capability::ElicitationUrl)
        }
        "elicitation/create" => ("elicitation/create", Capability::Elicitation),
        "sampling/createMessage" if params.tools.is_some() => ("sampling/createMessage", Capability::SamplingTools),
        "sampling/createMessage" => ("sampling/createMessage", Capability::Sampling),
        "roots/list" => ("roots/list", Capability::Roots),
        _ => return None,
    };
    // The key in the run can end with `#` and a number, which are not part of the name.
    let name = question.key.split_once('#').map_or(&*question.key, |(name, _)| name).to_owned();
    Some(WireQuestion {
        key: question.key.clone().into_owned().into(),
        name: name.into(),
        fingerprint: Fingerprint::default(),
        method,
        params: question.params.get().into(),
        needs: Capabilities::of(&[needs]),
        must_ask: true,
        deadline: None,
    })
}
