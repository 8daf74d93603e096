//! `tasks/get`, `tasks/update` and `tasks/cancel`.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value};

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
    serve::server::{BuiltParts, Extension, RequestContext, calling, declare_extension, pending_call::RequestReply},
    wire::protocol::{
        capability::{Capabilities, Capability, TASKS},
        error::RpcError,
        json::object,
        result::{CallToolResult, OtherResult},
        revision::Revision,
    },
};

/// Answers the method of one kind of requests. It runs like a tool.
struct TaskTool(Operation);

/// The params of `tasks/update`. Those of the other methods are the id alone.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UpdateParams {
    task_id: String,
    #[serde(default)]
    input_responses: RunAnswers,
}

impl Tool for TaskTool {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition::of_method(self.0)
    }

    fn call(&self, call: Call, params: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        let operation = self.0;
        let UpdateParams { task_id, input_responses } = match operation {
            Operation::UpdateTask => params.read()?,
            _ => UpdateParams { task_id: params.read()?, input_responses: RunAnswers::new() },
        };
        Ok(Box::pin(async move {
            let FoundTask { manager, task } = find(&call, &task_id).await?;
            match operation {
                Operation::GetTask => return Ok(CallToolResult::other(task)),
                Operation::UpdateTask => {
                    manager.answer(&task.run.id, input_responses).await.map_err(of_change)?;
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
        if server.has_tasks {
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
            declare_extension(capabilities, TASKS, object([]));
        }
    }

    fn answer<'a>(self: Arc<Self>, context: RequestContext<'a>, caller: Caller) -> Result<RequestReply<'a>, RpcError> {
        let mut tools = self.runs.iter().flat_map(|runs| &runs.methods);
        let tool = tools.find(|tool| tool.definition.name == context.method && caller.revision().is_modern());
        let tool = tool.ok_or_else(|| RpcError::method_not_found(context.method))?;
        if !caller.client().supports(Capability::Tasks) {
            return Err(RpcError::missing_capability("task", Capabilities::of(&[Capability::Tasks])));
        }
        let params = context.params;
        context.check_name(&params.task_id()?)?;
        let arguments = match tool.definition.operation {
            Operation::UpdateTask => params.text,
            _ => params.task_id.unwrap_or("null"),
        };
        calling::call_item(context, caller, tool, arguments)
    }
}
