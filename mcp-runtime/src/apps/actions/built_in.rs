//! The built-in actions for runs: `status`, `cancel`, `restart` and `runs`.

use std::{borrow::Cow, sync::Arc};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    action::{ActionKind, CompiledAction, ParameterSet},
    exit::ActionOutcome,
    failure::{ActionFailure, FailureKind, NotRun},
    marks::OutputMarks,
    report,
    set::{ActionSet, check, reads_json_strings},
    start,
};
use crate::{
    engine::{
        call::Call,
        runs::{
            RunFilter, RunRecord, RunStatus, RunStoreError,
            details::RunDetails,
            manager::{ChangeError, RunManager},
        },
    },
    wire::schema::InputSchema,
};

#[derive(Clone, Copy, Debug)]
pub(super) enum BuiltIn {
    Status,
    Cancel,
    Restart,
    Runs,
}

/// Adds the parameter `wait` to the schema of an action that runs in the background.
pub(super) fn add_wait(schema: &mut Value) {
    if let Some(schema) = schema.as_object_mut()
        && let Some(properties) = schema.entry("properties").or_insert_with(|| json!({})).as_object_mut()
    {
        properties.insert("wait".to_owned(), wait());
    }
}

fn wait() -> Value {
    json!({ "type": "boolean", "default": false, "description": "Wait for the end of the run." })
}

/// Returns the built-in actions of a tool. `runs` are the names of the tool's actions that run in the background.
pub(super) fn actions(runs: &[Cow<'static, str>]) -> Vec<CompiledAction> {
    let run_id = json!({ "type": "string", "description": "The id of the run." });
    let trace = json!({ "type": "boolean", "default": false, "description": "Also return what happened in the run." });
    let statuses: Vec<_> = RunStatus::ALL.iter().map(|status| status.as_str()).collect();
    let list = json!({
        "action": { "type": "string", "enum": runs, "description": "Only runs of this action." },
        "status": { "type": "string", "enum": statuses, "description": "Only runs with this status." },
        "limit": { "type": "integer", "minimum": 1, "maximum": 100, "default": 20, "description": "How many runs." },
        "cursor": { "type": "string", "description": "The `next_cursor` of the previous page." },
    });
    let status = json!({ "run_id": run_id, "include_trace": trace, "wait": wait() });
    let mut status = action("status", "Shows a run: its status, inputs and outputs", &status, BuiltIn::Status);
    status.aliases.push(("result", vec![("include_trace", true.into())]));
    let cancel = json!({ "run_id": run_id });
    let restart = json!({ "run_id": run_id, "wait": wait() });
    vec![
        status,
        action("cancel", "Cancels a run", &cancel, BuiltIn::Cancel),
        action("restart", "Starts a run again with the same inputs", &restart, BuiltIn::Restart),
        action("runs", "Lists your runs, the newest first", &list, BuiltIn::Runs),
    ]
}

fn action(name: &'static str, description: &'static str, properties: &Value, built_in: BuiltIn) -> CompiledAction {
    let required: Vec<_> = properties.get("run_id").map(|_| "run_id").into_iter().collect();
    let schema = json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    });
    let schema = InputSchema::new(schema).expect("the schemas of built-in actions are valid");
    CompiledAction {
        name: name.into(),
        description: description.into(),
        parameters: ParameterSet { published: schema.to_value(), schema: schema.untyped(), hints: Vec::new() },
        aliases: Vec::new(),
        inputs: Vec::new(),
        is_list: false,
        marks: OutputMarks::default(),
        output: None,
        kind: ActionKind::BuiltIn(built_in),
    }
}

/// The parameters of all built-in actions.
#[derive(Deserialize)]
#[serde(default)]
struct BuiltInParams {
    run_id: String,
    include_trace: bool,
    wait: bool,
    action: Option<String>,
    status: Option<RunStatus>,
    limit: usize,
    cursor: Option<String>,
}

impl Default for BuiltInParams {
    fn default() -> Self {
        Self {
            run_id: String::new(),
            include_trace: false,
            wait: false,
            action: None,
            status: None,
            limit: 20,
            cursor: None,
        }
    }
}

impl BuiltIn {
    pub(super) async fn run<'s>(
        self,
        set: &'s Arc<ActionSet>,
        action: &'s CompiledAction,
        call: &Call,
        params: Map<String, Value>,
    ) -> Result<ActionOutcome<'s>, NotRun> {
        let checked = check(action, &params, reads_json_strings(call))?;
        let params: BuiltInParams = serde_json::from_str(&checked)
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
                return start::start(set, index, call, inputs, Some(record.id)).await;
            }
        };
        Ok(ActionOutcome::BuiltIn(&action.name, report))
    }
}

pub(super) fn manager(set: &ActionSet) -> Result<&Arc<RunManager>, ActionFailure> {
    set.runs.as_ref().ok_or_else(|| ActionFailure::new(FailureKind::Failed, "the tool has no runs"))
}

/// Returns a run of the caller. For a run of another owner, the error is the same as for an unknown run.
pub(super) async fn find(
    manager: &Arc<RunManager>,
    call: &Call,
    id: &str,
) -> Result<(RunRecord, RunDetails), ActionFailure> {
    let owner = call.0.owner();
    let found = manager.find(id).await.map_err(of_store)?;
    found.filter(|(record, _)| record.owner.as_deref() == owner.as_deref()).ok_or_else(|| {
        let message = format!("there is no run '{id}'; the action 'runs' lists your runs");
        ActionFailure::new(FailureKind::UnknownRun, message)
    })
}

#[expect(clippy::needless_pass_by_value, reason = "used with `map_err`")]
pub(super) fn of_store(error: RunStoreError) -> ActionFailure {
    // Only the operator sees the reason.
    crate::base::report::report_limited!("{error}");
    ActionFailure::new(FailureKind::Failed, "the runs cannot be read or written at the moment; try again later")
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
    let filter = RunFilter {
        action: params.action,
        owner: Some(owner),
        statuses: params.status.into_iter().collect(),
        after,
        // Requests one run more than the page holds, to see whether another page follows.
        limit: params.limit + 1,
        ..RunFilter::default()
    };
    let found = manager.list(filter).await.map_err(of_store)?;
    Ok(report::list(found, params.limit))
}
