//! The parts of a stored run that have no column of their own.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::RawValue};

use crate::wire::protocol::text::shortened;

/// The most bytes of the message of a progress report. A longer message is shortened.
const LONGEST_MESSAGE: usize = 4096;

/// The content of [`RunRecord::details`](super::RunRecord::details). Values of any size are text, because a JSON value
/// in memory can take many times the bytes of its text.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RunDetails {
    /// The parameters as the caller sent them: an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) inputs: Option<Box<RawValue>>,
    /// The values of the parameters that the caller did not send or that the server changed, such as default values: an
    /// object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) resolved_inputs: Option<Box<RawValue>>,
    /// The id of the earlier run, if this run is a restart of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) restarted_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) outputs: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Box<RawValue>>,
    /// The last report of progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) progress: Option<RunProgress>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) questions: Vec<RunQuestion>,
    /// Answers that another server process has received, by the keys of their questions.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(crate) answers: Map<String, Value>,
    /// What happened in the run: the entries of its [`Trace`](super::trace::Trace).
    pub(crate) trace: Vec<Box<RawValue>>,
    /// How many entries of the trace were dropped, because the trace has a limit.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) trace_dropped: u64,
}

/// A question that waits for its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunQuestion {
    pub(crate) key: String,
    pub(crate) method: String,
    pub(crate) params: Value,
}

/// A report of progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunProgress {
    pub(crate) progress: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) total: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
}

impl RunProgress {
    /// Shortens a message that is longer than [`LONGEST_MESSAGE`].
    pub(super) fn limited(self) -> Self {
        let message = self.message.map(|message| match message.len() {
            0..=LONGEST_MESSAGE => message,
            _ => shortened(&message).into_owned(),
        });
        Self { message, ..self }
    }
}

impl RunDetails {
    /// Removes what only an open run needs.
    pub(super) fn close_questions(&mut self) {
        self.questions.clear();
        self.answers.clear();
    }

    /// Returns the parameters as the caller sent them.
    pub(crate) fn read_inputs(&self) -> Map<String, Value> {
        members(self.inputs.as_deref())
    }

    /// Returns the values of all parameters.
    pub(crate) fn read_resolved_inputs(&self) -> Map<String, Value> {
        let mut inputs = self.read_inputs();
        inputs.extend(members(self.resolved_inputs.as_deref()));
        inputs
    }
}

/// Returns the value as JSON text. Returns `None` if the value cannot be written as JSON.
pub(crate) fn json_text(value: &impl Serialize) -> Option<Box<RawValue>> {
    serde_json::value::to_raw_value(value).ok()
}

/// Reads a value from its JSON text. `None` is read as `null`.
pub(crate) fn json_value(text: Option<&RawValue>) -> Value {
    text.and_then(|text| serde_json::from_str(text.get()).ok()).unwrap_or_default()
}

fn members(object: Option<&RawValue>) -> Map<String, Value> {
    match json_value(object) {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
