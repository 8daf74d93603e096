//! The tasks of a server, and the runs that are tasks.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{
    shown::{add_details, result_json, shown_result, task},
    unread::UnreadNotices,
};
use crate::{
    base::error::ToolError,
    engine::{
        call::Call,
        runs::{
            RunRecord, RunStoreError, Runs, RunsAsTasks,
            details::RunDetails,
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
    let own = TaskRuns::of(call).map(|runs| (Arc::clone(&runs.manager), None));
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
