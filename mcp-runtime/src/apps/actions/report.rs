//! The information about runs that callers get.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Value, json, to_string, value::RawValue};

use crate::{
    engine::runs::{
        RunRecord, RunStatus,
        details::{RunProgress, RunQuestion},
        moment,
    },
    wire::protocol::json::{json_of, object_of_some},
};

/// The report about a run: everything that callers can see.
#[derive(Serialize)]
struct RunReport<'a> {
    run_id: &'a str,
    status: RunStatus,
    action: &'a str,
    created_at: String,
    updated_at: String,
    resolved_inputs: Cow<'a, RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    restarted_from: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<&'a RunProgress>,
    #[serde(skip_serializing_if = "<[RunQuestion<'_>]>::is_empty")]
    questions: &'a [RunQuestion<'a>],
    #[serde(skip_serializing_if = "Option::is_none")]
    outputs: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace_dropped: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// Returns the report about a run as JSON text.
pub(super) fn full(run: &RunRecord, include_trace: bool) -> Option<String> {
    let details = run.read_details();
    let report = RunReport {
        run_id: &run.id,
        status: run.status,
        action: &run.action,
        created_at: moment(run.created_at),
        updated_at: moment(run.updated_at),
        resolved_inputs: details.all_inputs(),
        restarted_from: details.restarted_from.as_deref(),
        progress: details.progress.as_deref().filter(|_| run.status.is_open()),
        questions: &details.questions,
        outputs: details.outputs,
        error: details.error,
        trace_dropped: Some(details.trace_dropped).filter(|dropped| include_trace && *dropped > 0),
        trace: details.trace.or(Some(json_of("[]"))).filter(|_| include_trace),
        next: next(run),
    };
    to_string(&report).ok()
}

/// Returns a page of runs as JSON text. If `found` has one run more than the page, another page follows.
pub(super) fn list(mut found: Vec<RunRecord>, limit: usize) -> Option<String> {
    let has_more = found.len() > limit;
    found.truncate(limit);
    let cursor = found.last().filter(|_| has_more).map(|run| format!("{}.{}", run.created_at, run.id));
    let runs = found.iter().map(|run| {
        json!({
            "run_id": run.id, "action": run.action, "status": run.status.as_str(), "created_at": moment(run.created_at),
        })
    });
    let page = object_of_some([("runs", Some(runs.collect())), ("next_cursor", cursor.map(Value::from))]);
    to_string(&page).ok()
}

/// Parses a cursor, and returns the place that it marks in the list: the creation time and the id of a run.
pub(super) fn place(cursor: &str) -> Option<(u64, String)> {
    let (created_at, id) = cursor.split_once('.')?;
    let is_id = id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    Some((created_at.parse().ok()?, is_id.then(|| id.to_owned())?))
}

/// Returns what the caller can do now.
fn next(run: &RunRecord) -> Option<String> {
    let call = |action: &str, wait: &str| {
        // An id has letters and digits only.
        format!(r#"{{"action":"{action}","params":{{"run_id":"{}"{wait}}}}}"#, run.id)
    };
    let wait = || call("status", r#","wait":true"#);
    match run.status {
        RunStatus::Working => Some(format!("the run has not ended; to wait for its end: {}", wait())),
        RunStatus::InputRequired => Some(format!("the run waits for answers of the user; to ask the user: {}", wait())),
        RunStatus::Interrupted => {
            let restart = call("restart", "");
            Some(format!("the server stopped before the run ended; to start it again: {restart}"))
        }
        RunStatus::Completed | RunStatus::Failed | RunStatus::Cancelled => None,
    }
}
