//! The parts of a stored run that have no column of their own.

use std::{borrow::Cow, collections::BTreeMap};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::RawValue};

use crate::wire::protocol::{json::json_of, text::shortened};

/// The most bytes of the message of a progress report. A longer message is shortened.
const LONGEST_MESSAGE: usize = 4096;

/// The content of [`RunRecord::details`](super::RunRecord::details). Values of any size are parts of this text.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RunDetails<'a> {
    /// See [`RunInputs::sent`].
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) inputs: Option<&'a RawValue>,
    /// See [`RunInputs::resolved`].
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) resolved_inputs: Option<&'a RawValue>,
    /// See [`RunInputs::restarted_from`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) restarted_from: Option<Cow<'a, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) outputs: Option<&'a RawValue>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<&'a RawValue>,
    /// The last report of progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) progress: Option<Cow<'a, RunProgress>>,
    #[serde(borrow, skip_serializing_if = "Vec::is_empty")]
    pub(crate) questions: Vec<RunQuestion<'a>>,
    /// Answers that another server process has received, by the keys of their questions.
    #[serde(borrow, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) answers: BTreeMap<Cow<'a, str>, &'a RawValue>,
    /// What happened in the run: an array with the entries of its [`Trace`](super::trace::Trace).
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(crate) trace: Option<&'a RawValue>,
    /// How many entries of the trace were dropped, because the trace has a limit.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) trace_dropped: u64,
}

/// What a run works with, which never changes.
#[derive(Default)]
pub(crate) struct RunInputs {
    /// The parameters as the caller sent them: an object.
    pub(crate) sent: Option<Box<RawValue>>,
    /// The values of the parameters that the caller did not send or that the server changed, such as default values: an
    /// object.
    pub(crate) resolved: Option<Box<RawValue>>,
    /// The id of the earlier run, if this run is a restart of it.
    pub(crate) restarted_from: Option<String>,
}

/// A question that waits for its answer.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RunQuestion<'a> {
    #[serde(borrow)]
    pub(crate) key: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) method: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) params: &'a RawValue,
}

/// Answers to questions, by the keys of the questions.
pub(crate) type RunAnswers = BTreeMap<String, Box<RawValue>>;

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

impl<'a> RunDetails<'a> {
    /// Reads the details of a record. If this version of the server cannot read them, returns empty details.
    pub(super) fn read(text: &'a str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// Returns the parameters as the caller sent them.
    pub(crate) fn read_inputs(&self) -> Map<String, Value> {
        members(self.inputs)
    }

    /// Returns the values of all parameters: an object.
    pub(crate) fn all_inputs(&self) -> Cow<'a, RawValue> {
        match (self.inputs, self.resolved_inputs) {
            (Some(all), None) | (None, Some(all)) => Cow::Borrowed(all),
            (None, None) => Cow::Borrowed(json_of("{}")),
            (Some(_), Some(resolved)) => {
                let mut inputs = self.read_inputs();
                inputs.extend(members(Some(resolved)));
                json_text(&inputs).map_or(Cow::Borrowed(RawValue::NULL), Cow::Owned)
            }
        }
    }
}

/// Returns the value as JSON text. Returns `None` if the value cannot be written as JSON.
pub(crate) fn json_text(value: &impl Serialize) -> Option<Box<RawValue>> {
    serde_json::value::to_raw_value(value).ok()
}

/// Returns bytes that are JSON text. Returns `None` if they are not JSON.
pub(crate) fn raw_value(json: Vec<u8>) -> Option<Box<RawValue>> {
    RawValue::from_string(String::from_utf8(json).ok()?).ok()
}

/// Reads a value from its JSON text.
pub(crate) fn json_value(text: &RawValue) -> Value {
    serde_json::from_str(text.get()).unwrap_or_default()
}

fn members(object: Option<&RawValue>) -> Map<String, Value> {
    match object.map(json_value) {
        Some(Value::Object(members)) => members,
        _ => Map::new(),
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
