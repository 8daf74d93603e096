//! Tasks as the protocol shows them.

use std::{sync::Arc, time::Duration};

use serde::Deserialize;
use serde_json::{Map, Value, json, value::RawValue};

use crate::{
    base::clock,
    engine::runs::{
        RunRecord, RunStatus, RunStoreError,
        details::{RunDetails, json_text, json_value},
        manager::RunManager,
        moment,
    },
    wire::protocol::{
        error::RpcError,
        frame::push_json,
        result::{CallToolResult, OtherResult, push_call_result},
        revision::Revision,
    },
};

/// The value of `RunRecord::tool` in the records of tasks. In other records, it is the name of a tool with actions.
pub(super) const NAMESPACE: &str = "tasks/";

/// How often clients should ask for the status, in milliseconds.
const POLL_INTERVAL: u32 = 1000;
const INTERRUPTED: &str = "the server stopped before the task ended";

/// Returns the members that every task has. `retention` is how long a task is kept after its end.
pub(super) fn task(run: &RunRecord, details: &RunDetails, retention: Duration) -> Map<String, Value> {
    let mut task = Map::new();
    task.insert("taskId".to_owned(), run.id.clone().into());
    task.insert("status".to_owned(), status(run).as_str().into());
    task.insert("createdAt".to_owned(), moment(run.created_at).into());
    task.insert("lastUpdatedAt".to_owned(), moment(run.updated_at).into());
    // The time begins when the task was created, but the retention begins when the task ends.
    let age = run.updated_at.saturating_sub(run.created_at);
    task.insert("ttlMs".to_owned(), json!(clock::millis(retention).saturating_add(age).max(1)));
    task.insert("pollIntervalMs".to_owned(), POLL_INTERVAL.into());
    if let Some(message) = status_message(run, details) {
        task.insert("statusMessage".to_owned(), message.into());
    }
    task
}

fn status_message(run: &RunRecord, details: &RunDetails) -> Option<String> {
    match run.status {
        RunStatus::Interrupted => Some(INTERRUPTED.to_owned()),
        RunStatus::Failed if run.tool == NAMESPACE => {
            let error = json_value(details.error.as_deref());
            error.get("message").and_then(Value::as_str).map(str::to_owned)
        }
        status if status.is_open() => details.progress.as_ref()?.message.clone(),
        _ => None,
    }
}

/// A `CreateTaskResult`.
#[derive(Debug)]
pub(crate) struct TaskCreated(Value);

impl TaskCreated {
    /// Returns the `CreateTaskResult` for the stored run with this id, wrapped in a `CallToolResult`.
    pub(crate) async fn of(manager: &Arc<RunManager>, id: &str) -> Result<CallToolResult, RunStoreError> {
        let found = manager.find(id).await?.ok_or_else(|| RunStoreError::new("the task was removed"))?;
        let mut created = task(&found.0, &found.1, manager.retention());
        created.insert("resultType".to_owned(), "task".into());
        Ok(CallToolResult::other(Self(Value::Object(created))))
    }
}

impl OtherResult for TaskCreated {
    fn push(&self, out: &mut Vec<u8>, _: Revision, _: &str) {
        push_json(out, &self.0);
    }
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
        RunStatus::Completed | RunStatus::Failed => {
            match (json_value(details.error.as_deref()), result(run, details)) {
                (_, Some(result)) => ("result", result),
                (error, None) => ("error", error),
            }
        }
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

/// Returns the result of a call as the JSON text that is stored. If its only content is the text of its structured
/// content, the stored text has no `content`, so that a large result is stored once.
pub(super) fn stored_result(result: &CallToolResult, server_info: &str) -> Option<Box<RawValue>> {
    let mut stored = result_json(result, server_info);
    let text = match &result.content[..] {
        [only] => only.as_text(),
        _ => None,
    };
    if let (Some(text), Some(structured), Value::Object(stored)) = (text, &result.structured, &mut stored)
        && text == structured.get()
    {
        stored.remove("content");
    }
    json_text(&stored)
}

/// Returns the result that [`stored_result`] has stored.
pub(super) fn shown_result(stored: &RawValue) -> Value {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct StructuredResult<'a> {
        #[serde(borrow)]
        structured_content: &'a RawValue,
    }
    let mut shown = json_value(Some(stored));
    if let Value::Object(shown) = &mut shown
        && !shown.contains_key("content")
        && let Ok(StructuredResult { structured_content }) = serde_json::from_str(stored.get())
    {
        shown.insert("content".to_owned(), json!([{ "type": "text", "text": structured_content.get() }]));
    }
    shown
}

/// Returns an error of the protocol as JSON.
pub(super) fn error_json(error: &RpcError) -> Value {
    let mut text = Vec::new();
    error.push(&mut text);
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Returns the status of a run as the protocol shows it.
fn status(run: &RunRecord) -> RunStatus {
    match run.status {
        // The protocol has no such status.
        RunStatus::Interrupted => RunStatus::Failed,
        // An error of an action is a result of its tool. `failed` is only for errors of JSON-RPC.
        RunStatus::Failed if run.tool != NAMESPACE => RunStatus::Completed,
        status => status,
    }
}
