//! Runs a call as a task.

use std::sync::{Arc, atomic::Ordering};

use super::{
    shown::{TaskCreated, error_json, stored_result},
    task_runs::TaskRuns,
};
use crate::{
    base::error::ToolError,
    engine::{
        call::{
            Call,
            running::{CallFuture, CallOutcome},
        },
        runs::{
            RunEnd, RunStatus,
            begin::{BeginError, NewRun},
            details::RunInputs,
        },
    },
    wire::protocol::{
        capability::Capability,
        error::{CallRefusal, RpcError},
    },
};

/// Returns the future of a call. If the client declares the tasks extension, the call becomes a task. `run` creates
/// the future that does the work of the tool.
#[doc(hidden)]
pub fn as_task(call: Call, run: impl FnOnce(Call) -> CallFuture + Send + 'static) -> CallFuture {
    if can_be_task(&call) { Box::pin(begin(call, run)) } else { run(call) }
}

/// Whether the call becomes a task if its tool wants it: its client declares the extension, and its server has tasks. The
/// caller of a nested call waits for its result.
pub(crate) fn can_be_task(call: &Call) -> bool {
    call.nested().is_none() && call.0.client().supports(Capability::Tasks) && TaskRuns::of(call).is_some()
}

async fn begin(
    call: Call,
    run: impl FnOnce(Call) -> CallFuture + Send,
) -> Result<crate::wire::protocol::result::CallToolResult, ToolError> {
    let Some(runs) = TaskRuns::of(&call) else { return run(call).await };
    let manager = &runs.manager;
    let server = Arc::clone(&call.0.server);
    let new = NewRun {
        action: call.target().name(),
        arguments: call.0.arguments_len.load(Ordering::Relaxed),
        inputs: RunInputs::default(),
        clean: Arc::new(|_| {}),
        end: Arc::new(move |outcome| end(outcome, server.info())),
    };
    let begun = manager.begin(&call, new, |call| Ok::<_, std::convert::Infallible>(run(call))).await;
    let task = begun.map_err(|error: BeginError<std::convert::Infallible>| -> ToolError {
        match error {
            BeginError::Call(never) => match never {},
            BeginError::Full(full) => {
                let message = full.message("tasks", "wait until one has ended");
                let error = if full.is_of_owner() { RpcError::too_many } else { RpcError::overloaded };
                CallRefusal(error(&message)).into()
            }
            BeginError::Store(error) => {
                crate::base::report::report_limited!("{error}");
                CallRefusal(RpcError::internal("the task cannot be stored at the moment; try again later")).into()
            }
        }
    })?;
    Ok(TaskCreated::of(task.now(), manager.retention()))
}

/// Converts the outcome of a call to the end of its task.
fn end(outcome: CallOutcome, server_info: &str) -> RunEnd {
    match outcome {
        Ok(result) => RunEnd { status: RunStatus::Completed, outputs: stored_result(result, server_info), error: None },
        Err(error) => RunEnd { status: RunStatus::Failed, outputs: None, error: error_json(&error) },
    }
}
