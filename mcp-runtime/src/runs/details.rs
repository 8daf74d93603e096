//! The parts of a stored run that have no column of their own.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The content of [`RunRecord::details`](super::RunRecord::details).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RunDetails {
    /// The parameters as the caller sent them.
    pub(crate) inputs: Map<String, Value>,
    /// The values of all parameters, including default values.
    pub(crate) resolved_inputs: Value,
    /// The id of the earlier run, if this run is a restart of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) restarted_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) outputs: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Value>,
    /// The last report of progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) progress: Option<RunProgress>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) questions: Vec<RunQuestion>,
    /// Answers that another server process has received, by the keys of their questions.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(crate) answers: Map<String, Value>,
    pub(crate) trace: Vec<TraceEntry>,
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

/// Something that happened in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TraceEntry {
    /// The time, in the format of RFC 3339.
    pub(crate) at: String,
    #[serde(flatten)]
    pub(crate) event: TraceEvent,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum TraceEvent {
    Started,
    Log { level: crate::protocol::level::Level, data: Value },
    Progress(RunProgress),
    Asked { key: String },
    Answered { key: String },
    Ended { status: super::RunStatus },
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
