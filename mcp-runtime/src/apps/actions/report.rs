//! The information about runs that callers get.

use serde_json::{Value, json, value::RawValue};

use crate::{
    engine::runs::{
        RunRecord, RunStatus,
        details::{RunDetails, json_value},
        moment,
    },
    wire::protocol::json::object_of_some,
};

/// Returns the report about a run: everything that callers can see.
pub(super) fn full(run: &RunRecord, details: &RunDetails, include_trace: bool) -> Value {
    let RunDetails { outputs, error, progress, questions, trace, trace_dropped, restarted_from, .. } = details;
    let next = next(run);
    let value = |text: &Option<Box<RawValue>>| text.as_ref().map(|text| json_value(Some(text)));
    object_of_some([
        ("run_id", Some(run.id.clone().into())),
        ("status", Some(run.status.as_str().into())),
        ("action", Some(run.action.clone().into())),
        ("created_at", Some(moment(run.created_at).into())),
        ("updated_at", Some(moment(run.updated_at).into())),
        ("resolved_inputs", Some(details.read_resolved_inputs().into())),
        ("restarted_from", restarted_from.clone().map(Value::from)),
        ("progress", progress.as_ref().map(|progress| json!(progress)).filter(|_| run.status.is_open())),
        ("questions", Some(json!(questions)).filter(|_| !questions.is_empty())),
        ("outputs", value(outputs)),
        ("error", value(error)),
        ("trace_dropped", Some((*trace_dropped).into()).filter(|_| include_trace && *trace_dropped > 0)),
        ("trace", include_trace.then(|| json!(trace))),
        ("next", next.map(Value::from)),
    ])
}

/// Returns a page of runs. If `found` has one run more than the page, another page follows.
pub(super) fn list(mut found: Vec<(RunRecord, RunDetails)>, limit: usize) -> Value {
    let has_more = found.len() > limit;
    found.truncate(limit);
    let cursor = found.last().filter(|_| has_more).map(|(run, _)| format!("{}.{}", run.created_at, run.id));
    let runs = found.iter().map(|(run, _)| {
        json!({
            "run_id": run.id, "action": run.action, "status": run.status.as_str(), "created_at": moment(run.created_at),
        })
    });
    object_of_some([("runs", Some(runs.collect())), ("next_cursor", cursor.map(Value::from))])
}

/// Parses a cursor, and returns the place that it marks in the list: the creation time and the id of a run.
pub(super) fn place(cursor: &str) -> Option<(u64, String)> {
    let (created_at, id) = cursor.split_once('.')?;
    let is_id = id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    Some((created_at.parse().ok()?, is_id.then(|| id.to_owned())?))
}

/// Returns what the caller can do now.
fn next(run: &RunRecord) -> Option<String> {
    let status = |wait: bool| {
        let params = if wait { json!({ "run_id": run.id, "wait": true }) } else { json!({ "run_id": run.id }) };
        json!({ "action": "status", "params": params })
    };
    match run.status {
        RunStatus::Working => Some(format!("the run has not ended; to wait for its end: {}", status(true))),
        RunStatus::InputRequired => {
            Some(format!("the run waits for answers of the user; to ask the user: {}", status(true)))
        }
        RunStatus::Interrupted => {
            let restart = json!({ "action": "restart", "params": { "run_id": run.id } });
            Some(format!("the server stopped before the run ended; to start it again: {restart}"))
        }
        RunStatus::Completed | RunStatus::Failed | RunStatus::Cancelled => None,
    }
}
