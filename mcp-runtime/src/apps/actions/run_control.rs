//! Runs the built-in actions for runs.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    action::{BuiltIn, CompiledAction},
    built_in::USUAL_PAGE,
    exit::ActionOutcome,
    failure::{ActionFailure, FailureKind, NotRun},
    report,
    set::{ActionSet, check, reads_json_strings},
    start::{find, manager, of_store, start},
};
use crate::engine::{
    call::Call,
    runs::{
        RunFilter, RunStatus,
        manager::{ChangeError, RunManager},
    },
};

/// The parameters of all built-in actions.
#[derive(Default, Deserialize)]
#[serde(default)]
struct BuiltInParams {
    run_id: String,
    include_trace: bool,
    wait: bool,
    action: Option<String>,
    status: Option<RunStatus>,
    limit: Option<usize>,
    cursor: Option<String>,
}

impl BuiltIn {
    pub(super) async fn run<'s>(
        self,
        set: &'s Arc<ActionSet>,
        action: &'s CompiledAction,
        call: &Call,
        params: Map<String, Value>,
    ) -> Result<ActionOutcome<'s>, NotRun> {
        let checked = check(action, params, reads_json_strings(call))?;
        let params: BuiltInParams = serde_json::from_value(Value::Object(checked))
            .map_err(|error| ActionFailure::new(FailureKind::InvalidParams, error.to_string()))?;
        let manager = manager(set)?;
        let id = &*params.run_id;
        let report = match self {
            Self::Runs => list(manager, call, params).await?,
            Self::Status => {
                let (record, _) = find(manager, call, id).await?;
                if params.wait && record.status.is_open() {
                    manager.wait(id, call).await.map_err(of_store)?;
                }
                let (record, details) = find(manager, call, id).await?;
                let report = report::full(&record, &details, params.include_trace);
                let has_failed = params.wait && details.error.is_some();
                return Ok(ActionOutcome::Run { action: &action.name, report, has_failed });
            }
            Self::Cancel => {
                find(manager, call, id).await?;
                manager.cancel(id).await.map_err(|error| match error {
                    ChangeError::Store(error) => of_store(error),
                    // Not expected, because a cancelled run takes no more bytes than before.
                    ChangeError::TooLarge(bytes, limit) => {
                        let message = format!("run '{id}' would take {bytes} bytes, and a run can take {limit}");
                        ActionFailure::new(FailureKind::Failed, message)
                    }
                    ChangeError::Ended(status) => {
                        let message = format!("run '{id}' cannot be cancelled, because it has ended: {status}");
                        ActionFailure::new(FailureKind::RunEnded, message)
                    }
                })?;
                let (record, details) = find(manager, call, id).await?;
                report::full(&record, &details, false)
            }
            Self::Restart => {
                let (record, details) = find(manager, call, id).await?;
                let (index, _) = set.find(&record.action)?;
                let mut inputs = details.read_inputs();
                inputs.insert("wait".to_owned(), params.wait.into());
                return start(set, index, call, inputs, Some(record.id)).await;
            }
        };
        Ok(ActionOutcome::BuiltIn(&action.name, report))
    }
}

async fn list(manager: &Arc<RunManager>, call: &Call, params: BuiltInParams) -> Result<Value, ActionFailure> {
    let owner = call.0.owner().map(|owner| owner.to_string());
    #[cfg(feature = "http")]
    if owner.is_none() && call.0.http_parts().is_some() {
        let message = "over HTTP, only an authenticated client can list its runs, because the server cannot tell \
                       unauthenticated clients apart; keep the `run_id` of each run";
        return Err(ActionFailure::new(FailureKind::Failed, message));
    }
    let after = match &params.cursor {
        None => None,
        Some(cursor) => Some(report::place(cursor).ok_or_else(|| {
            let message = format!("`cursor` must be the `next_cursor` of the previous page (got '{cursor}')");
            ActionFailure::new(FailureKind::InvalidParams, message)
        })?),
    };
    let limit = params.limit.unwrap_or(USUAL_PAGE);
    let filter = RunFilter {
        action: params.action,
        owner: Some(owner),
        statuses: params.status.into_iter().collect(),
        after,
        // Requests one run more than the page holds, to see whether another page follows.
        limit: limit + 1,
        ..RunFilter::default()
    };
    let found = manager.list(filter).await.map_err(of_store)?;
    Ok(report::list(found, limit))
}
