//! The tasks of a server, and the runs that are tasks.

use std::sync::Arc;

use super::{shown::ShownTask, unread::UnreadNotices};
use crate::{
    base::error::ToolError,
    engine::{
        call::Call,
        runs::{
            RunStoreError, Runs, RunsAsTasks, TaskResultFn,
            manager::{ChangeError, RunManager},
        },
        tool::registered::RegisteredTool,
    },
    serve::server::Inner,
    wire::protocol::{
        error::{CallRefusal, RpcError},
        text::shortened,
    },
};

/// The tasks extension of a server, with the author's settings.
#[derive(Default)]
pub(super) struct Tasks {
    pub(super) settings: Runs,
    /// Set when the server is built, if one of its tools can become a task.
    pub(super) runs: Option<Arc<TaskRuns>>,
}

/// Manages the tasks of tools.
pub(super) struct TaskRuns {
    pub(super) manager: Arc<RunManager>,
    pub(super) unread: UnreadNotices,
    /// The items that answer the methods.
    pub(super) methods: [Arc<RegisteredTool>; 3],
}

impl TaskRuns {
    /// Returns the manager of the tasks of this call's server.
    pub(super) fn of(call: &Call) -> Option<Arc<Self>> {
        let server: Option<&Inner> = call.0.server.get();
        server?.extensions.get::<Tasks>()?.runs.clone()
    }
}

/// A task, and the manager of its run.
pub(super) struct FoundTask {
    pub(super) manager: Arc<RunManager>,
    pub(super) task: ShownTask,
}

/// Finds a task of the caller. A task of another owner counts as unknown.
pub(super) async fn find(call: &Call, id: &str) -> Result<FoundTask, ToolError> {
    if let Some(runs) = TaskRuns::of(call)
        && let Some(found) = find_in(&runs.manager, None, call, id).await?
    {
        return Ok(found);
    }
    for RunsAsTasks { manager, result } in runs_of_actions(call) {
        if let Some(found) = find_in(&manager, Some(result), call, id).await? {
            return Ok(found);
        }
    }
    Err(CallRefusal(RpcError::invalid_params(format!("Unknown task: {}", shortened(id)))).into())
}

/// Finds a task of the caller among the runs of one manager. `result` is set if they are the runs of actions.
async fn find_in(
    manager: &Arc<RunManager>,
    result: Option<TaskResultFn>,
    call: &Call,
    id: &str,
) -> Result<Option<FoundTask>, ToolError> {
    let found = manager.find(id, false).await.map_err(of_store)?;
    let own = found.filter(|run| run.owner.as_deref() == call.0.owner().as_deref());
    Ok(own.map(|run| FoundTask {
        manager: Arc::clone(manager),
        task: ShownTask { run, retention: manager.retention(), result },
    }))
}

/// Returns the runs of the tools with actions.
fn runs_of_actions(call: &Call) -> Vec<RunsAsTasks> {
    let server: &Inner = call.0.server.get().expect("the host of a call is the server");
    server.registry.read().iter().filter_map(|tool| tool.definition.runs.clone()).collect()
}

#[expect(clippy::needless_pass_by_value, reason = "used with `map_err`")]
fn of_store(error: RunStoreError) -> ToolError {
    // Only the operator sees the reason.
    crate::base::report::report_limited!("{error}");
    let message = "the tasks cannot be read or written at the moment; try again later";
    CallRefusal(RpcError::internal(message)).into()
}

pub(super) fn of_change(error: ChangeError) -> ToolError {
    let message = match error {
        ChangeError::Store(error) => return of_store(error),
        ChangeError::Ended(status) => format!("the task has ended: {status}"),
        ChangeError::TooLarge(bytes, limit) => format!(
            "with these answers, the task would take {bytes} bytes, and a task can take {limit}; send shorter answers"
        ),
    };
    CallRefusal(RpcError::invalid_params(message)).into()
}
