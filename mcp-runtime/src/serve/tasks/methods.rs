//! `tasks/get`, `tasks/update` and `tasks/cancel`.

use std::{fmt, sync::Arc};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    TaskRuns,
    shown::{add_details, result_json, shown_result, task},
};
#[cfg(feature = "http")]
use crate::wire::protocol::headers;
use crate::{
    base::error::ToolError,
    engine::{
        call::{Call, operation::Operation, request::Caller, running::Calling},
        runs::{
            RunRecord, RunStoreError, Runs, RunsAsTasks,
            details::RunDetails,
            manager::{ChangeError, RunManager},
        },
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition, registered::RegisteredTool, registry::Registry},
    },
    serve::server::{
        Inner, calling,
        pending_call::RequestReply,
        request::RequestContext,
        surface::{MethodSet, Surface},
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
    /// `None` until the author sets the settings, and again after the server has taken them.
    pub(super) settings: Option<Runs>,
}

impl Surface for Tasks {
    fn take_items(&mut self) -> Vec<Box<dyn Tool>> {
        METHODS.iter().map(|(name, operation)| Box::new(TaskTool { name, operation: *operation }) as _).collect()
    }

    fn complete(self: Box<Self>, registry: &Registry, _: &mut Vec<String>) -> Box<dyn MethodSet> {
        let tools = METHODS.iter().filter_map(|(name, operation)| registry.find_other(*operation, name));
        let has_tasks = registry.iter().any(|tool| tool.definition.has_tasks());
        Box::new(TaskMethods { tools: tools.map(Arc::clone).collect(), has_tasks })
    }
}

/// Answers one of the methods. The server registers and runs this type like a tool.
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
    let own = server.states.get::<TaskRuns>().map(|runs| (Arc::clone(&runs.manager), None));
    let registry = server.registry.read();
    let of_tools = registry.iter().filter_map(|tool| tool.definition.runs.clone());
    own.into_iter().chain(of_tools.map(|runs| (Arc::clone(&runs.manager), Some(runs)))).collect()
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

/// The methods, with the registered [`TaskTool`]s.
struct TaskMethods {
    tools: Vec<Arc<RegisteredTool>>,
    /// Whether a tool of the server can become a task.
    has_tasks: bool,
}

impl MethodSet for TaskMethods {
    fn methods(&self) -> &'static [&'static str] {
        if self.has_tasks { &["tasks/get", "tasks/update", "tasks/cancel"] } else { &[] }
    }

    fn declare(&self, revision: Revision, capabilities: &mut Map<String, Value>) {
        if self.has_tasks && revision.is_modern() {
            capabilities.insert("extensions".into(), json!({ EXTENSION: {} }));
        }
    }

    fn answer<'a>(&self, context: RequestContext<'a>, caller: Caller) -> Result<RequestReply<'a>, RpcError> {
        let tool = self.tools.iter().find(|tool| tool.definition.name == context.method);
        let tool = tool.filter(|_| caller.revision().is_modern());
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

    fn manifest(&self, _: &Registry) -> Vec<(&'static str, Value)> {
        Vec::new()
    }
}
