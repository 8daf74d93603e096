//! Tasks as the protocol shows them.

use std::{borrow::Cow, fmt, time::Duration};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    base::clock,
    engine::runs::{
        RunRecord, RunStatus, TaskResultFn,
        details::{RunDetails, RunQuestion, raw_value},
        moment,
    },
    wire::protocol::{
        error::RpcError,
        frame::push_json,
        result::{CallToolResult, OtherResult, push_call_result},
        revision::Revision,
        text::push_json_string,
    },
};

/// The value of `RunRecord::tool` in the records of tasks. In other records, it is the name of a tool with actions.
pub(super) const NAMESPACE: &str = "tasks/";

const INTERRUPTED: &str = "the server stopped before the task ended";
/// The beginning of a stored result whose only content is the text of its structured content.
const WITHOUT_CONTENT: &str = r#"{"resultType":"complete","content":[],"structuredContent":"#;

/// A run, shown as a task.
pub(super) struct ShownTask {
    pub(super) run: RunRecord,
    /// How long the task is kept after its end.
    pub(super) retention: Duration,
    /// Set if the task is the run of an action.
    pub(super) result: Option<TaskResultFn>,
}

impl ShownTask {
    /// Appends the members of the task that follow the time of its last change, and its id, each followed by a comma.
    pub(super) fn push_times(&self, out: &mut Vec<u8>) {
        let RunRecord { id, created_at, updated_at, .. } = &self.run;
        out.extend_from_slice(br#""taskId":"#);
        push_json_string(out, id);
        out.extend_from_slice(br#","createdAt":"#);
        push_json_string(out, &moment(*created_at));
        out.extend_from_slice(br#","lastUpdatedAt":"#);
        push_json_string(out, &moment(*updated_at));
        out.extend_from_slice(br#","ttlMs":"#);
        // The time begins when the task was created, but the retention begins when the task ends.
        let age = updated_at.saturating_sub(*created_at);
        push_json(out, &clock::millis(self.retention).saturating_add(age).max(1));
        // How often clients should ask for the status.
        out.extend_from_slice(br#","pollIntervalMs":1000,"#);
    }

    /// Appends the other members: the status, and the open questions, the result, or the error.
    pub(super) fn push_state(&self, out: &mut Vec<u8>, server_info: &str) {
        let details = self.run.read_details();
        self.push_status(out, &details);
        match self.run.status {
            RunStatus::Working | RunStatus::Cancelled => {}
            RunStatus::InputRequired => push_questions(out, &details.questions),
            RunStatus::Interrupted => {
                out.extend_from_slice(br#","error":"#);
                RpcError::internal(INTERRUPTED).push(out);
            }
            RunStatus::Completed | RunStatus::Failed => match (&self.result, details.outputs) {
                (Some(result), _) => {
                    out.extend_from_slice(br#","result":"#);
                    push_call_result(out, &result(&self.run), Revision::LATEST, server_info);
                }
                (None, Some(stored)) => {
                    out.extend_from_slice(br#","result":"#);
                    push_stored_result(out, stored);
                }
                (None, None) => {
                    out.extend_from_slice(br#","error":"#);
                    out.extend_from_slice(details.error.unwrap_or(RawValue::NULL).get().as_bytes());
                }
            },
        }
    }

    fn push_status(&self, out: &mut Vec<u8>, details: &RunDetails<'_>) {
        let status = match self.run.status {
            // The protocol has no such status.
            RunStatus::Interrupted => RunStatus::Failed,
            // An error of an action is a result of its tool. `failed` is only for errors of JSON-RPC.
            RunStatus::Failed if self.run.tool != NAMESPACE => RunStatus::Completed,
            status => status,
        };
        out.extend_from_slice(br#""status":"#);
        push_json_string(out, status.as_str());
        if let Some(message) = self.status_message(details) {
            out.extend_from_slice(br#","statusMessage":"#);
            push_json_string(out, &message);
        }
    }

    fn status_message<'d>(&self, details: &'d RunDetails<'d>) -> Option<Cow<'d, str>> {
        #[derive(Deserialize)]
        struct ErrorMessage<'a> {
            #[serde(borrow)]
            message: Cow<'a, str>,
        }
        match self.run.status {
            RunStatus::Interrupted => Some(INTERRUPTED.into()),
            RunStatus::Failed if self.run.tool == NAMESPACE => {
                let error: ErrorMessage<'_> = serde_json::from_str(details.error?.get()).ok()?;
                Some(error.message)
            }
            status if status.is_open() => details.progress.as_ref()?.message.as_deref().map(Cow::Borrowed),
            _ => None,
        }
    }
}

impl fmt::Debug for ShownTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShownTask").field("run", &self.run).finish_non_exhaustive()
    }
}

/// A `GetTaskResult`.
impl OtherResult for ShownTask {
    fn push(&self, out: &mut Vec<u8>, _: Revision, server_info: &str) {
        out.extend_from_slice(br#"{"resultType":"complete","#);
        self.push_times(out);
        self.push_state(out, server_info);
        out.push(b'}');
    }
}

/// A `CreateTaskResult`.
#[derive(Debug)]
pub(crate) struct TaskCreated(ShownTask);

impl TaskCreated {
    /// Returns the `CreateTaskResult` for a run that has begun, wrapped in a `CallToolResult`.
    pub(crate) fn of(run: RunRecord, retention: Duration) -> CallToolResult {
        CallToolResult::other(Self(ShownTask { run, retention, result: None }))
    }
}

impl OtherResult for TaskCreated {
    fn push(&self, out: &mut Vec<u8>, _: Revision, _: &str) {
        out.extend_from_slice(br#"{"resultType":"task","#);
        self.0.push_times(out);
        self.0.push_status(out, &self.0.run.read_details());
        out.push(b'}');
    }
}

fn push_questions(out: &mut Vec<u8>, questions: &[RunQuestion<'_>]) {
    out.extend_from_slice(br#","inputRequests":{"#);
    for (index, RunQuestion { key, method, params }) in questions.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        push_json_string(out, key);
        out.extend_from_slice(br#":{"method":"#);
        push_json_string(out, method);
        out.extend_from_slice(br#","params":"#);
        out.extend_from_slice(params.get().as_bytes());
        out.push(b'}');
    }
    out.push(b'}');
}

/// Returns the result of a call as the JSON text that is stored. If its only content is the text of its structured
/// content, the stored text has no content, so that a large result is stored once.
pub(super) fn stored_result(mut result: CallToolResult, server_info: &str) -> Option<Box<RawValue>> {
    if let [only] = result.content()
        && result.structured.is_some()
        && only.as_text() == result.structured.as_deref()
    {
        result.content = Some(Vec::new());
    }
    let mut text = Vec::with_capacity(result.estimated_length(server_info));
    push_call_result(&mut text, &result, Revision::LATEST, server_info);
    raw_value(text)
}

/// Appends a result that [`stored_result`] has returned.
fn push_stored_result(out: &mut Vec<u8>, stored: &RawValue) {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct StructuredResult<'a> {
        #[serde(borrow)]
        structured_content: &'a RawValue,
    }
    let stored = stored.get();
    let Some(rest) = stored.strip_prefix(WITHOUT_CONTENT) else { return out.extend_from_slice(stored.as_bytes()) };
    let structured = serde_json::from_str(stored).map(|StructuredResult { structured_content }| structured_content);
    out.extend_from_slice(br#"{"resultType":"complete","content":[{"type":"text","text":"#);
    push_json_string(out, structured.unwrap_or(RawValue::NULL).get());
    out.extend_from_slice(br#"}],"structuredContent":"#);
    out.extend_from_slice(rest.as_bytes());
}

/// Returns an error of the protocol as JSON.
pub(super) fn error_json(error: &RpcError) -> Option<Box<RawValue>> {
    let mut text = Vec::new();
    error.push(&mut text);
    raw_value(text)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn pushed(result: &dyn OtherResult) -> Value {
        let mut text = Vec::new();
        result.push(&mut text, Revision::LATEST, "{}");
        serde_json::from_slice(&text).unwrap()
    }

    #[test]
    fn a_task_that_fails_before_its_creation_is_shown_says_why() {
        let run = RunRecord {
            status: RunStatus::Failed,
            details: json!({ "error": { "code": -32603, "message": "out of \"order\"" } }).to_string().into(),
            ..RunRecord::new(NAMESPACE, "tool", None, "instance", 1)
        };
        let created = pushed(&TaskCreated(ShownTask { run, retention: Duration::from_secs(60), result: None }));
        let (status, message) = (&created["status"], &created["statusMessage"]);
        assert_eq!((status, message), (&json!("failed"), &json!("out of \"order\"")));
        assert_eq!(created.get("error"), None);
    }

    #[test]
    fn a_result_whose_text_is_its_structured_content_is_stored_once() {
        let mut result = CallToolResult::json(&json!({ "word": "\"a\"" })).unwrap();
        result.is_error = true;
        let stored = stored_result(result.clone(), "{}").unwrap();
        assert_eq!(stored.get().matches("word").count(), 1, "{stored}");
        let (mut shown, mut expected) = (Vec::new(), Vec::new());
        push_stored_result(&mut shown, &stored);
        push_call_result(&mut expected, &result, Revision::LATEST, "{}");
        assert_eq!(String::from_utf8(shown), String::from_utf8(expected));
    }
}
