//! `tasks/get`, `tasks/update` and `tasks/cancel`.

use std::{borrow::Cow, sync::Arc};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    shown::NAMESPACE,
    task_runs::{FoundTask, TaskRuns, Tasks, find, of_change},
    unread::UnreadNotices,
};
use crate::{
    engine::{
        call::{Call, operation::Operation, request::Caller, running::CallFuture},
        runs::{ServerRunStore, details::RunAnswers, manager::RunManager},
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition, registered::RegisteredTool},
    },
    serve::server::{BuiltParts, Extension, RequestContext, calling, pending_call::RequestReply},
    wire::protocol::{
        capability::{Capabilities, Capability},
        error::RpcError,
        result::{CallToolResult, OtherResult},
        revision::Revision,
    },
};

const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// Answers the method of one kind of requests. It runs like a tool.
struct TaskTool(Operation);

/// The params of all three methods.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TaskParams {
    task_id: String,
    #[serde(default)]
    input_responses: RunAnswers,
}

/// The name of the task, in the params of all three methods.
#[derive(Deserialize)]
struct TaskName<'a> {
    #[serde(borrow, rename = "taskId")]
    task_id: Cow<'a, str>,
}

impl Tool for TaskTool {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition::of_method(self.0)
    }

    fn call(&self, call: Call, params: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        let (params, operation): (TaskParams, _) = (params.read()?, self.0);
        Ok(Box::pin(async move {
            let FoundTask { manager, task } = find(&call, &params.task_id).await?;
            match operation {
                Operation::GetTask => return Ok(CallToolResult::other(task)),
                Operation::UpdateTask => {
                    manager.answer(&task.run.id, params.input_responses).await.map_err(of_change)?;
                }
                _ => manager.cancel_if_open(&task.run.id).await.map_err(of_change)?,
            }
            Ok(CallToolResult::other(Acknowledged))
        }))
    }
}

/// The result of `tasks/update` and `tasks/cancel`.
#[derive(Debug)]
struct Acknowledged;

impl OtherResult for Acknowledged {
    fn push(&self, out: &mut Vec<u8>, _: Revision, _: &str) {
        out.extend_from_slice(br#"{"resultType":"complete"}"#);
    }
}

impl Extension for Tasks {
    fn complete(&mut self, server: &BuiltParts<'_>, _: &mut Vec<String>) -> Option<Arc<dyn Extension>> {
        if server.registry.iter().any(|tool| tool.definition.has_tasks()) {
            let manager = Arc::new(RunManager::new(NAMESPACE, std::mem::take(&mut self.settings)));
            if let Some(ServerRunStore(store)) = server.settings.states.get() {
                manager.use_store(store);
            }
            let methods = [Operation::GetTask, Operation::UpdateTask, Operation::CancelTask];
            let methods = methods.map(|operation| RegisteredTool::of_method(TaskTool(operation)));
            self.runs = Some(Arc::new(TaskRuns { manager, unread: UnreadNotices::new(), methods }));
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
        let mut tools = self.runs.iter().flat_map(|runs| &runs.methods);
        let tool = tools.find(|tool| tool.definition.name == context.method && caller.revision().is_modern());
        let tool = tool.ok_or_else(|| RpcError::method_not_found(context.method))?;
        if !caller.client().supports(Capability::Tasks) {
            return Err(RpcError::missing_capability("task", Capabilities::of(&[Capability::Tasks])));
        }
        let text = if context.params.text.is_empty() { "{}" } else { context.params.text };
        if let Ok(TaskName { task_id }) = serde_json::from_str(text) {
            context.check_name(&task_id)?;
        }
        calling::call_item(context, caller, tool, text)
    }
}
