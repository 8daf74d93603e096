//! Tasks as the protocol shows them.

use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::{
    protocol::{
        error::RpcError,
        result::{CallToolResult, push_call_result},
        revision::Revision,
    },
    runs::{RunRecord, RunStatus, details::RunDetails, moment},
};

/// How often clients should ask for the status, in milliseconds.
const POLL_INTERVAL: u32 = 1000;
const INTERRUPTED: &str = "the server stopped before the task ended";

/// Returns the members that every task has.
pub(super) fn task(run: &RunRecord, details: &RunDetails, retention: Duration) -> Map<String, Value> {
    let mut task = Map::new();
    task.insert("taskId".to_owned(), run.id.clone().into());
    task.insert("status".to_owned(), status(run.status).as_str().into());
    task.insert("createdAt".to_owned(), moment(run.created_at).into());
    task.insert("lastUpdatedAt".to_owned(), moment(run.updated_at).into());
    // A task is kept for at least this time, because the time begins when the task ends.
    task.insert("ttlMs".to_owned(), json!(u64::try_from(retention.as_millis()).unwrap_or(u64::MAX).max(1)));
    task.insert("pollIntervalMs".to_owned(), POLL_INTERVAL.into());
    let message = match run.status {
        RunStatus::Interrupted => Some(INTERRUPTED.to_owned()),
        _ => details.progress.as_ref().filter(|_| run.status.is_open()).and_then(|progress| progress.message.clone()),
    };
    if let Some(message) = message {
        task.insert("statusMessage".to_owned(), message.into());
    }
    task
}

/// Adds the member that belongs to the status: the open questions, the result, or the error.
pub(super) fn add_details(
    task: &mut Map<String, Value>,
    run: &RunRecord,
    details: RunDetails,
    result: impl FnOnce(&RunRecord, RunDetails) -> Option<Value>,
) {
    let (name, value) = match run.status {
        RunStatus::InputRequired => {
            let requests = details
                .questions
                .into_iter()
                .map(|question| (question.key, json!({ "method": question.method, "params": question.params })));
            ("inputRequests", requests.collect())
        }
        RunStatus::Interrupted => ("error", error_json(&RpcError::internal(INTERRUPTED))),
        RunStatus::Completed | RunStatus::Failed => match (details.error.clone(), result(run, details)) {
            (_, Some(result)) => {
                // An error of an action is reported as a result of the tool.
                task.insert("status".to_owned(), RunStatus::Completed.as_str().into());
                ("result", result)
            }
            (error, None) => ("error", error.unwrap_or_default()),
        },
        RunStatus::Working | RunStatus::Cancelled => return,
    };
    task.insert(name.to_owned(), value);
}

/// Returns the result of a call as JSON.
pub(super) fn result_json(result: &CallToolResult, server_info: &str) -> Value {
    let mut text = Vec::new();
    push_call_result(&mut text, result, Revision::LATEST, server_info);
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Returns an error of the protocol as JSON.
pub(super) fn error_json(error: &RpcError) -> Value {
    let mut text = Vec::new();
    error.push(&mut text);
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Returns `Failed` for an interrupted task, because the protocol has no such status. Returns any other status
/// unchanged.
fn status(status: RunStatus) -> RunStatus {
    if status == RunStatus::Interrupted { RunStatus::Failed } else { status }
}
