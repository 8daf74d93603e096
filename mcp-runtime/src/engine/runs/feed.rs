//! What happens in a run: its status, its trace and its open questions. Other code can watch the changes.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    mem::take,
    sync::{Arc, Weak},
};

use serde_json::value::RawValue;
use tokio::sync::watch;

use super::{
    RunRecord, RunStatus,
    details::{RunDetails, RunInputs, RunProgress, RunQuestion},
    trace::{Trace, TraceEntry, TraceEvent},
};
use crate::{
    base::{
        clock::{self, Millis},
        mutex::Mutex,
    },
    engine::call::{
        CallState,
        conversation::{Answer, WireQuestion, names::Names},
        running::CallOutcome,
    },
    wire::protocol::json::json_of,
};

/// The state of a run that this process executes.
#[derive(Default)]
pub(super) struct RunFeed {
    inputs: RunInputs,
    state: Mutex<FeedState>,
    /// Counts the changes.
    changes: watch::Sender<u64>,
}

#[derive(Default)]
struct FeedState {
    /// The end of the run, if it has ended.
    end: Option<RunEnd>,
    trace: Trace,
    progress: Option<RunProgress>,
    asked: u64,
    /// The keys of all questions so far. A call asks the same question again under the same key, for example after an
    /// invalid answer. In a run each question has a key of its own, so that a late answer to the first question does
    /// not answer the second one.
    keys: Names,
    questions: Vec<OpenQuestion>,
    /// When the status, the questions or the progress of the run last changed, in milliseconds since 1970.
    changed_at: Millis,
    call: Weak<CallState>,
    is_cancelled: bool,
    /// Whether the end is stored. Also true if it will never be stored, because another process has taken the run.
    is_settled: bool,
    /// The version of the record as this process knows it, or as it is being written.
    version: u64,
    /// Whether the stored record must be checked, because another process may have changed it.
    must_look: bool,
}

/// A question that waits for its answer.
struct OpenQuestion {
    number: u64,
    /// The key in the call that asks.
    asked_as: Cow<'static, str>,
    /// The question, with its key in the run.
    question: WireQuestion,
}

/// How a run has ended.
#[derive(Clone, Debug)]
pub(crate) struct RunEnd {
    pub(crate) status: RunStatus,
    pub(crate) outputs: Option<Box<RawValue>>,
    pub(crate) error: Option<Box<RawValue>>,
}

/// Converts the outcome of a run's call to the end of the run.
pub(crate) type EndFn = Arc<dyn Fn(CallOutcome) -> RunEnd + Send + Sync>;

impl RunFeed {
    pub(super) fn new(inputs: RunInputs) -> Self {
        let feed = Self { inputs, ..Self::default() };
        feed.note(TraceEvent::Started);
        feed
    }

    /// Returns a receiver that notices each later change.
    pub(super) fn watch(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    pub(super) fn status(&self) -> RunStatus {
        self.state.lock().status()
    }

    /// Writes the run as it is now into its record. Leaves out the trace if `with_trace` is `false`.
    pub(super) fn describe(&self, record: &mut RunRecord, with_trace: bool) {
        let state = self.state.lock();
        record.status = state.status();
        record.updated_at = record.updated_at.max(state.changed_at);
        let trace = if with_trace { state.trace.to_json() } else { None };
        record.set_details(&RunDetails {
            inputs: self.inputs.sent.as_deref(),
            resolved_inputs: self.inputs.resolved.as_deref(),
            restarted_from: self.inputs.restarted_from.as_deref().map(Cow::Borrowed),
            outputs: state.end.as_ref().and_then(|end| end.outputs.as_deref()),
            error: state.end.as_ref().and_then(|end| end.error.as_deref()),
            progress: state.progress.as_ref().map(Cow::Borrowed),
            questions: state.questions.iter().map(|open| shown(&open.question)).collect(),
            answers: BTreeMap::new(),
            trace: trace.as_deref(),
            trace_dropped: if with_trace { state.trace.dropped() } else { state.trace.count() },
        });
    }

    /// Returns the trace entries from the entry `number` on, and the number that the next entry will get.
    pub(super) fn since(&self, number: u64) -> (Vec<Arc<TraceEntry>>, u64) {
        self.state.lock().trace.since(number)
    }

    pub(super) fn note(&self, event: TraceEvent) {
        self.change(|state| state.trace.push(event));
    }

    pub(super) fn progressed(&self, progress: RunProgress) {
        let progress = progress.limited();
        self.change(|state| {
            state.touch();
            state.progress = Some(progress.clone());
            state.trace.push(TraceEvent::Progress(progress));
        });
    }

    /// Opens a question, and returns its number. If an earlier question of the run had the same key, the question gets a
    /// new key.
    pub(super) fn ask(&self, call: &Arc<CallState>, question: &WireQuestion) -> u64 {
        self.change(|state| {
            state.asked += 1;
            state.touch();
            let number = state.asked;
            let asked_as = question.key.clone();
            let question = WireQuestion { key: state.keys.reserve(asked_as.clone()), ..question.clone() };
            state.call = Arc::downgrade(call);
            state.trace.push(TraceEvent::Asked { key: question.key.to_string() });
            state.questions.push(OpenQuestion { number, asked_as, question });
            number
        })
    }

    pub(super) fn withdraw(&self, number: u64) {
        self.change(|state| {
            state.touch();
            state.questions.retain(|open| open.number != number);
        });
    }

    pub(super) fn questions(&self) -> Vec<WireQuestion> {
        self.state.lock().questions.iter().map(|open| open.question.clone()).collect()
    }

    /// Passes an answer to the run. Returns whether a question was open under this key. Only the first answer counts.
    pub(super) fn answer(&self, key: &str, answer: Answer) -> bool {
        let answered = self.change(|state| {
            let index = state.questions.iter().position(|open| open.question.key == key)?;
            state.touch();
            let OpenQuestion { asked_as, .. } = state.questions.remove(index);
            state.trace.push(TraceEvent::Answered { key: key.to_owned() });
            Some((state.call.upgrade()?, asked_as))
        });
        answered.is_some_and(|(call, asked_as)| call.conversation.answer(&asked_as, answer))
    }

    pub(super) fn end(&self, end: RunEnd) {
        self.change(|state| {
            state.touch();
            state.trace.push(TraceEvent::Ended { status: end.status });
            state.questions.clear();
            state.end = Some(end);
        });
    }

    /// Replaces the end of a run that has ended.
    pub(super) fn replace_end(&self, end: RunEnd) {
        self.change(|state| state.end = Some(end));
    }

    pub(super) fn cancel(&self) {
        self.change(|state| state.is_cancelled = true);
    }

    pub(super) async fn cancelled(&self) {
        self.until(|state| state.is_cancelled).await;
    }

    pub(super) fn settle(&self) {
        self.change(|state| state.is_settled = true);
    }

    pub(super) fn is_settled(&self) -> bool {
        self.state.lock().is_settled
    }

    pub(super) async fn settled(&self) {
        self.until(|state| state.is_settled).await;
    }

    pub(super) fn version(&self) -> u64 {
        self.state.lock().version
    }

    pub(super) fn set_version(&self, version: u64) {
        self.state.lock().version = version;
    }

    /// Makes the run's `RunRecorder` check the stored record.
    pub(super) fn look_at_record(&self) {
        self.change(|state| state.must_look = true);
    }

    /// Returns whether the run's `RunRecorder` must check the stored record, and resets this flag.
    pub(super) fn take_look(&self) -> bool {
        take(&mut self.state.lock().must_look)
    }

    async fn until(&self, reached: impl Fn(&FeedState) -> bool) {
        let mut changes = self.watch();
        while !reached(&self.state.lock()) {
            // The sender lives as long as this feed.
            let _ = changes.changed().await;
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut FeedState) -> T) -> T {
        let changed = change(&mut self.state.lock());
        self.changes.send_modify(|count| *count += 1);
        changed
    }
}

impl FeedState {
    fn status(&self) -> RunStatus {
        match &self.end {
            Some(end) => end.status,
            None if self.questions.is_empty() => RunStatus::Working,
            None => RunStatus::InputRequired,
        }
    }

    /// Records that the status, the questions or the progress change. The recorded time differs from the one before,
    /// so that a client notices each change.
    fn touch(&mut self) {
        self.changed_at = clock::now().max(self.changed_at + 1);
    }
}

fn shown(question: &WireQuestion) -> RunQuestion<'_> {
    RunQuestion {
        key: Cow::Borrowed(&*question.key),
        method: question.method.into(),
        params: json_of(&question.params),
    }
}
