//! Starts actions in the background, and runs the built-in actions for runs.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::{
    action::{ActionKind, BuiltIn, CompiledAction, USUAL_PAGE},
    failure::{ActionFailure, FailureKind},
    output_filter::ActionOutcome,
    report,
    set::{ActionSet, call_method, check, reads_json_strings},
};
use crate::{
    base::error::ToolError,
    engine::{
        call::{
            Call,
            running::{CallFuture, CallOutcome},
        },
        runs::{
            RunEnd, RunFilter, RunRecord, RunStatus, RunStoreError,
            begin::{BeginError, NewRun},
            details::{RunInputs, json_text},
            manager::{ChangeError, RunManager},
        },
    },
    serve::tasks::TaskCreated,
    wire::protocol::{capability::Capability, result::CallToolResult},
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
        params: &str,
    ) -> Result<ActionOutcome<'s>, ToolError> {
        let checked = check(action, params, reads_json_strings(call))?;
        let params: BuiltInParams = serde_json::from_str(&checked)
            .map_err(|error| ActionFailure::new(FailureKind::InvalidParams, error.to_string()))?;
        let manager = manager(set)?;
        let id = &*params.run_id;
        let report = match self {
            Self::Runs => list(manager, call, params).await?,
            Self::Status => {
                let mut run = find(manager, call, id, params.include_trace).await?;
                if params.wait && run.status.is_open() {
                    manager.wait(id, call).await.map_err(of_store)?;
                    run = find(manager, call, id, params.include_trace).await?;
                }
                let report = report::full(&run, params.include_trace);
                let has_failed = params.wait && run.read_details().error.is_some();
                return Ok(ActionOutcome::Report { action: &action.name, report, has_failed });
            }
            Self::Cancel => {
                find(manager, call, id, false).await?;
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
                report::full(&find(manager, call, id, false).await?, false)
            }
            Self::Restart => {
                let run = find(manager, call, id, false).await?;
                let (index, _) = set.find(&run.action)?;
                let mut inputs = run.read_details().read_inputs();
                inputs.insert("wait".to_owned(), params.wait.into());
                return start(set, index, call, &Value::Object(inputs).to_string(), Some(run.id)).await;
            }
        };
        Ok(ActionOutcome::Report { action: &action.name, report, has_failed: false })
    }
}

async fn list(manager: &Arc<RunManager>, call: &Call, params: BuiltInParams) -> Result<Option<String>, ActionFailure> {
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

/// Starts the action at this index. `params` is a JSON object. If the parameter `wait` is set, waits for the end of the run.
pub(super) async fn start<'s>(
    set: &'s Arc<ActionSet>,
    index: usize,
    call: &Call,
    params: &str,
    restarted_from: Option<String>,
) -> Result<ActionOutcome<'s>, ToolError> {
    let (action, manager) = (&set.actions[index], manager(set)?);
    let checked = set.checked(action, call, params).await?;
    let [mut sent, mut checked] = [params, &*checked].map(members);
    let wait = checked.remove("wait").is_some_and(|wait| wait.get() == "true");
    sent.remove("wait");
    let text = serde_json::to_string(&checked).unwrap_or_default();
    let resolved = resolved(action, &sent, &checked);
    let cleaner = Arc::clone(set);
    let new = NewRun {
        action: &action.name,
        arguments: text.len(),
        inputs: RunInputs {
            sent: json_text(&sent).filter(|_| !sent.is_empty()),
            resolved: json_text(&resolved).filter(|_| !resolved.is_empty()),
            restarted_from,
        },
        clean: Arc::new(move |data| cleaner.exit.clean(data)),
        end: Arc::new(end),
    };
    let begun = manager.begin(call, new, |call| background(set, index, call, &text)).await;
    let begun = begun.map_err(|error| match error {
        BeginError::Call(failure) => failure,
        BeginError::Store(error) => of_store(error),
        BeginError::Full(full) => {
            let message = full.message("runs", "wait until one has ended ('status' with `wait`)");
            let mut failure = ActionFailure::new(FailureKind::TooManyRuns, message);
            failure.details.status = Some(if full.is_of_owner() { 429 } else { 503 });
            failure
        }
    })?;
    if wait && call.0.client().supports(Capability::Tasks) {
        return Ok(ActionOutcome::Task(TaskCreated::of(begun.now(), manager.retention())));
    }
    let run = if wait {
        manager.wait_for_begun(&begun, call).await;
        find(manager, call, begun.id(), false).await?
    } else {
        begun.now()
    };
    let has_failed = wait && run.read_details().error.is_some();
    Ok(ActionOutcome::Report { action: &action.name, report: report::full(&run, false), has_failed })
}

/// Returns the future of the run. The structured content of its result is what the run has returned, or its error,
/// without internal values.
fn background(set: &Arc<ActionSet>, index: usize, call: Call, checked: &str) -> Result<CallFuture, ActionFailure> {
    let action = &set.actions[index];
    let (ActionKind::Run(method) | ActionKind::Call(method)) = &action.kind else {
        return Err(ActionFailure::new(FailureKind::Failed, format!("'{}' cannot be run", action.name)));
    };
    let (calling, set) = (call_method(action, method, call.clone(), checked)?, Arc::clone(set));
    Ok(Box::pin(async move {
        let result = calling.await;
        let outcome = set.outcome(&set.actions[index], &call, result)?;
        Ok(set.exit.end_of_run(outcome))
    }))
}

/// The members of a JSON object, whose values stay text.
type Members<'a> = BTreeMap<Cow<'a, str>, &'a RawValue>;

fn members(object: &str) -> Members<'_> {
    serde_json::from_str(object).unwrap_or_default()
}

/// Returns the parameters whose values the caller has not sent: those that the checks have changed, and the defaults. A
/// parameter without a value is `null`.
fn resolved<'a>(
    action: &'a CompiledAction,
    sent: &Members<'_>,
    checked: &'a Members<'_>,
) -> BTreeMap<&'a str, Box<RawValue>> {
    let changed = checked.iter().filter(|(name, value)| sent.get(*name).is_none_or(|sent| sent.get() != value.get()));
    let changed = changed.map(|(name, value)| (&**name, (*value).to_owned()));
    let unset = action.parameters.properties().filter(|(name, _)| *name != "wait" && !checked.contains_key(*name));
    let unset = unset.filter_map(|(name, schema)| Some((name, json_text(&schema.get("default"))?)));
    changed.chain(unset).collect()
}

/// Converts the outcome of a run's call to the end of the run.
fn end(outcome: CallOutcome) -> RunEnd {
    let failed = |message: &str| json_text(&ActionFailure::new(FailureKind::Failed, message));
    let raw = |json| RawValue::from_string(json).ok();
    let error = match outcome {
        Ok(CallToolResult { structured, is_error: false, .. }) => {
            return RunEnd { status: RunStatus::Completed, outputs: structured.and_then(raw), error: None };
        }
        // The result of a panic or a timeout has no structured content. The runtime reports both.
        Ok(CallToolResult { structured: Some(error), .. }) => raw(error),
        Ok(result) => failed(result.first_text()),
        Err(error) => failed(&error.message),
    };
    RunEnd { status: RunStatus::Failed, outputs: None, error }
}

fn manager(set: &ActionSet) -> Result<&Arc<RunManager>, ActionFailure> {
    set.runs.as_ref().ok_or_else(|| ActionFailure::new(FailureKind::Failed, "the tool has no runs"))
}

/// Returns a run of the caller. For a run of another owner, the error is the same as for an unknown run.
async fn find(manager: &Arc<RunManager>, call: &Call, id: &str, with_trace: bool) -> Result<RunRecord, ActionFailure> {
    let owner = call.0.owner();
    let found = manager.find(id, with_trace).await.map_err(of_store)?;
    found.filter(|run| run.owner.as_deref() == owner.as_deref()).ok_or_else(|| {
        let message = format!("there is no run '{id}'; the action 'runs' lists your runs");
        ActionFailure::new(FailureKind::UnknownRun, message)
    })
}

#[expect(clippy::needless_pass_by_value, reason = "used with `map_err`")]
fn of_store(error: RunStoreError) -> ActionFailure {
    // Only the operator sees the reason.
    crate::base::report::report_limited!("{error}");
    ActionFailure::new(FailureKind::Failed, "the runs cannot be read or written at the moment; try again later")
}
