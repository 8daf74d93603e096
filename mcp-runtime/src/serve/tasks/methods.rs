//! `tasks/get`, `tasks/update` and `tasks/cancel`.

use std::{fmt, sync::Arc};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    NAMESPACE,
    followed::followed,
    shown::{add_details, result_json, shown_result, task},
    unread::UnreadNotices,
};
#[cfg(feature = "http")]
use crate::wire::protocol::headers;
use crate::{
    base::error::ToolError,
    engine::{
        call::{Call, operation::Operation, request::Caller, running::Calling},
        runs::{
            RunRecord, RunStoreError, Runs, RunsAsTasks, ServerRunStore,
            details::RunDetails,
            manager::{ChangeError, RunManager},
        },
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition, registered::RegisteredTool},
    },
    serve::server::{
        Inner, calling,
        extension::{BuiltParts, Extension, FoundTasks},
        pending_call::RequestReply,
        request::RequestContext,
    },
    wire::protocol::{
        capability::{Capabilities, Capability},
        error::{CallRefusal, RpcError},
        frame::push_json,
        result::{CallToolResult, OtherResult},
        revision::Revision,
        text::shortened,
    },
};

const EXTENSION: &str = "io.modelcontextprotocol/tasks";
const METHODS: [(&str, Operation); 3] = [
    ("tasks/get", Operation::GetTask),
    ("tasks/update", Operation::UpdateTask),
    ("tasks/cancel", Operation::CancelTask),
];

/// The tasks extension of a server, with the author's settings.
#[derive(Default)]
pub(super) struct Tasks {
    pub(super) settings: Runs,
    /// Set when the server is built, if one of its tools can become a task.
    pub(super) runs: Option<TaskRuns>,
}

/// Manages the tasks of tools.
pub(super) struct TaskRuns {
    pub(super) manager: Arc<RunManager>,
    pub(super) unread: UnreadNotices,
    tools: [Arc<RegisteredTool>; METHODS.len()],
}

/// Answers one of the methods. It runs like a tool.
struct TaskTool {
    name: &'static str,
    operation: Operation,
}

/// The params of all three methods.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TaskParams {
    task_id: String,
    #[serde(default)]
    input_responses: Map<String, Value>,
}

impl Tool for TaskTool {
    fn definition(&self) -> ToolDefinition {
        let mut definition = ToolDefinition::new(self.name, "");
        definition.operation = self.operation;
        definition
    }

    fn call(&self, call: Call, params: Arguments<'_>) -> Result<Calling, ArgumentsError> {
        let (params, operation): (TaskParams, _) = (params.read()?, self.operation);
        Ok(Box::pin(async move {
            let found = find(&call, &params.task_id).await?;
            let answer = match operation {
                Operation::GetTask => found.shown(&call),
                Operation::UpdateTask => {
                    found.manager.answer(&found.record.id, params.input_responses).await.map_err(of_change)?;
                    Map::new()
                }
                _ => {
                    found.manager.cancel_if_open(&found.record.id).await.map_err(of_change)?;
                    Map::new()
                }
            };
            Ok(CallToolResult::other(TaskAnswer(answer)))
        }))
    }
}

/// A task, and the manager of its run.
pub(super) struct FoundTask {
    pub(super) manager: Arc<RunManager>,
    /// Set if the task is the run of an action.
    runs: Option<RunsAsTasks>,
    pub(super) record: RunRecord,
    details: RunDetails,
}

impl FoundTask {
    /// Returns the task as a JSON object. The status of the task decides whether the object contains the open
    /// questions, the result, or the error.
    pub(super) fn shown(self, call: &Call) -> Map<String, Value> {
        let Self { manager, runs, record, details } = self;
        let mut shown = task(&record, &details, manager.retention());
        add_details(&mut shown, &record, details, |record, details| match &runs {
            Some(runs) => Some(result_json(&(runs.result)(record, details), call.0.server.info())),
            None => details.outputs.as_deref().map(shown_result),
        });
        shown
    }
}

/// Finds a task of the caller. A task of another owner counts as unknown.
pub(super) async fn find(call: &Call, id: &str) -> Result<FoundTask, ToolError> {
    let owner = call.0.owner();
    for (manager, runs) in managers(call) {
        let found = manager.find(id).await.map_err(of_store)?;
        if let Some((record, details)) = found.filter(|(record, _)| record.owner.as_deref() == owner.as_deref()) {
            return Ok(FoundTask { manager, runs, record, details });
        }
    }
    Err(CallRefusal(RpcError::invalid_params(format!("Unknown task: {}", shortened(id)))).into())
}

/// Returns everything that has tasks: the server, and its tools with runs.
fn managers(call: &Call) -> Vec<(Arc<RunManager>, Option<RunsAsTasks>)> {
    let server: &Inner = call.0.server.get().expect("the host of a call is the server");
    let tasks = server.extensions.get::<Tasks>();
    let own = tasks.iter().filter_map(|tasks| Some((Arc::clone(&tasks.runs.as_ref()?.manager), None)));
    let registry = server.registry.read();
    let of_tools = registry.iter().filter_map(|tool| tool.definition.runs.clone());
    own.chain(of_tools.map(|runs| (Arc::clone(&runs.manager), Some(runs)))).collect()
}

#[expect(clippy::needless_pass_by_value, reason = "used with `map_err`")]
fn of_store(error: RunStoreError) -> ToolError {
    // Only the operator sees the reason.
    crate::base::report::report_limited!("{error}");
    let message = "the tasks cannot be read or written at the moment; try again later";
    CallRefusal(RpcError::internal(message)).into()
}

fn of_change(error: ChangeError) -> ToolError {
    let message = match error {
        ChangeError::Store(error) => return of_store(error),
        ChangeError::Ended(status) => format!("the task has ended: {status}"),
        ChangeError::TooLarge(bytes, limit) => format!(
            "with these answers, the task would take {bytes} bytes, and a task can take {limit}; send shorter answers"
        ),
    };
    CallRefusal(RpcError::invalid_params(message)).into()
}

/// The result of the three methods.
struct TaskAnswer(Map<String, Value>);

impl fmt::Debug for TaskAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TaskAnswer")
    }
}

impl OtherResult for TaskAnswer {
    fn push(&self, out: &mut Vec<u8>, _: Revision, _: &str) {
        let mut answer = self.0.clone();
        answer.insert("resultType".to_owned(), "complete".into());
        push_json(out, &answer);
    }
}

impl Tasks {
    /// Returns the manager of the tasks of this call's server.
    pub(super) fn of(call: &Call) -> Option<Arc<Self>> {
        let server: Option<&Inner> = call.0.server.get();
        server?.extensions.get().filter(|tasks: &Arc<Self>| tasks.runs.is_some())
    }
}

impl Extension for Tasks {
    fn complete(&mut self, server: &BuiltParts<'_>, _: &mut Vec<String>) -> Option<Arc<dyn Extension>> {
        if server.registry.iter().any(|tool| tool.definition.has_tasks()) {
            let manager = Arc::new(RunManager::new(NAMESPACE, std::mem::take(&mut self.settings)));
            if let Some(ServerRunStore(store)) = server.states.get() {
                manager.use_store(store);
            }
            let tools = METHODS.map(|(name, operation)| RegisteredTool::of_method(TaskTool { name, operation }));
            self.runs = Some(TaskRuns { manager, unread: UnreadNotices::new(), tools });
        }
        None
    }

    fn methods(&self) -> &'static [&'static str] {
        if self.runs.is_some() { &["tasks/get", "tasks/update", "tasks/cancel"] } else { &[] }
    }

    fn declare(&self, _: RequestContext<'_>, revision: Revision, capabilities: &mut Map<String, Value>) {
        if self.runs.is_some() && revision.is_modern() {
            capabilities.insert("extensions".into(), json!({ EXTENSION: {} }));
        }
    }

    fn answer<'a>(self: Arc<Self>, context: RequestContext<'a>, caller: Caller) -> Result<RequestReply<'a>, RpcError> {
        let mut tools = self.runs.iter().flat_map(|runs| &runs.tools);
        let tool = tools.find(|tool| tool.definition.name == context.method && caller.revision().is_modern());
        let tool = tool.ok_or_else(|| RpcError::method_not_found(context.method))?;
        if !caller.client().supports(Capability::Tasks) {
            return Err(RpcError::missing_capability("task", Capabilities::of(&[Capability::Tasks])));
        }
        let text = if context.params.text.is_empty() { "{}" } else { context.params.text };
        #[cfg(feature = "http")]
        if let Some(headers) = context.modern_headers()
            && let Ok(TaskParams { task_id, .. }) = serde_json::from_str(text)
        {
            headers::check_name(headers, &task_id)?;
        }
        calling::call_other(context, caller, tool, text)
    }

    fn find_tasks(&self, call: &Call, ids: &[String]) -> Option<FoundTasks> {
        Some(followed(call.clone(), ids.to_vec()))
    }
}
