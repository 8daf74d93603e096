//! The runs that the tests start.

use std::{sync::Arc, time::Duration};

use mcp_runtime::{
    Result,
    actions::Actions,
    prelude::*,
    runs::{MemoryRunStore, RunStore, Runs},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

/// Data pipelines. A run waits until the test opens the gate.
pub(crate) struct Jobs {
    gate: Arc<Semaphore>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Size {
    S,
    M,
}

#[action_output]
#[derive(Serialize, JsonSchema)]
pub(crate) struct Sorted {
    rows: u32,
    size: Size,
    #[internal]
    lease: String,
}

#[elicits]
pub(crate) enum Approvals {
    /// Approve the deletion.
    Approve { reason: String },
}

/// Runs data pipelines.
#[mcp_actions]
impl Jobs {
    /// Sorts a file.
    #[action(run, alias = "order")]
    async fn sort(
        &self,
        ctx: &Ctx,
        /// How many rows.
        #[schemars(range(min = 1, max = 1000))]
        rows: u32,
        #[serde(default = Size::M)] size: Size,
        note: Option<String>,
    ) -> Result<Json<Sorted>> {
        ctx.progress(1.0).total(3.0).message("reading");
        ctx.log(Level::Info, json!({ "step": "read", "_file": "/secret/file", "lease": "L-1" }));
        ctx.log(Level::Debug, "opened with lease: L-2");
        self.gate.acquire().await.map_err(|_| "the gate is gone")?.forget();
        ctx.progress(3.0).total(3.0);
        match note.as_deref() {
            Some("fail") => Err(format!("cannot sort: Sorted {{ rows: {rows}, lease: \"L-3\" }}").into()),
            Some("panic") => panic!("_token: hidden"),
            _ => Ok(Json(Sorted { rows, size, lease: "L-4".to_owned() })),
        }
    }

    /// Deletes a file, after the user has approved it.
    #[action(run)]
    async fn delete(&self, ctx: &Ctx<Approvals>) -> Result<String> {
        let Approve { reason } = ctx.elicit::<Approve>("Delete the file?").strict().await?;
        Ok(format!("deleted: {reason}"))
    }

    /// Returns the time.
    #[action]
    async fn time(&self) -> String {
        "noon".to_owned()
    }
}

/// The jobs, and the gate through which each run must go.
pub(crate) fn jobs() -> (Actions, Arc<Semaphore>) {
    jobs_in(MemoryRunStore::new())
}

pub(crate) fn jobs_in(store: impl RunStore) -> (Actions, Arc<Semaphore>) {
    jobs_with(Runs::new(store).heartbeat(Duration::from_millis(40)))
}

/// The same for several processes with a real clock. On a busy machine, a process may show no sign of life for longer
/// than two intervals of the other heartbeat.
pub(crate) fn jobs_with_time(store: impl RunStore) -> (Actions, Arc<Semaphore>) {
    jobs_with(Runs::new(store).heartbeat(Duration::from_secs(1)))
}

pub(crate) fn jobs_with(runs: Runs) -> (Actions, Arc<Semaphore>) {
    let gate = Arc::new(Semaphore::new(0));
    (Jobs { gate: Arc::clone(&gate) }.into_actions().runs(runs), gate)
}

pub(crate) async fn call(jobs: &Actions, action: &str, params: Value) -> Value {
    let answer = jobs.handle(json!({ "action": action, "params": params })).await;
    assert!(answer.get("error").is_none(), "{answer}");
    answer["result"].clone()
}

/// Waits until the run has this status, and returns what `status` says with the trace.
pub(crate) async fn reaches(jobs: &Actions, run_id: &Value, status: &str) -> Value {
    let mut last = Value::Null;
    for _ in 0..500 {
        last = call(jobs, "result", json!({ "run_id": run_id })).await;
        if last["status"] == status {
            return last;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the run does not become {status}: {last}");
}

/// Calls an action that fails, and returns its error.
pub(super) async fn error(jobs: &Actions, action: &str, params: Value) -> Value {
    let answer = jobs.handle(json!({ "action": action, "params": params })).await;
    answer["error"].clone()
}
