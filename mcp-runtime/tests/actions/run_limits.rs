//! What an owner, and all owners together, may have in open and in ended runs.

use std::{sync::Arc, time::Duration};

use mcp_runtime::{
    prelude::*,
    runs::{MemoryRunStore, RunLimits, RunQuota, RunStore, Runs},
};
use serde_json::json;

use crate::actions::jobs::{call, error, jobs_in, jobs_with, reaches};

#[tokio::test]
async fn an_owner_has_a_limit_of_open_runs() {
    let (jobs, gate) = jobs_with(Runs::default().limit(2));
    for _ in 0..2 {
        call(&jobs, "sort", json!({ "rows": 1 })).await;
    }
    let refused = error(&jobs, "sort", json!({ "rows": 1 })).await;
    assert_eq!((&refused["kind"], &refused["status"]), (&json!("too_many_runs"), &json!(429)));
    assert!(refused["message"].as_str().unwrap().starts_with("you have 2 open runs, which is the limit"), "{refused}");
    gate.add_permits(3);
    let runs = call(&jobs, "runs", json!({})).await;
    reaches(&jobs, &runs["runs"][0]["run_id"], "completed").await;
    call(&jobs, "sort", json!({ "rows": 1, "wait": true })).await;
}

#[tokio::test]
async fn old_runs_are_removed() {
    let store = Arc::new(MemoryRunStore::new());
    let runs = Runs::new(Arc::clone(&store)).history(3).heartbeat(Duration::from_millis(10));
    let (jobs, gate) = jobs_with(runs);
    gate.add_permits(70);
    for _ in 0..70 {
        call(&jobs, "sort", json!({ "rows": 1, "wait": true })).await;
    }
    // The last run is swept after its result was returned.
    let mut kept = 0;
    for _ in 0..500 {
        kept = call(&jobs, "runs", json!({ "limit": 100 })).await["runs"].as_array().unwrap().len();
        if kept == 3 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{kept} runs are kept");
}

/// Returns the same limit for one owner and for all.
fn same(runs: usize, bytes: u64) -> RunLimits {
    let quota = RunQuota { runs, bytes };
    RunLimits { per_owner: quota, total: quota }
}

#[tokio::test]
async fn open_runs_are_limited_for_all_owners_together() {
    let limits = RunLimits { total: RunQuota { runs: 1, bytes: 1_000_000 }, ..same(10, 1_000_000) };
    let (jobs, _gate) = jobs_with(Runs::default().open_limits(limits));
    call(&jobs, "sort", json!({ "rows": 1 })).await;
    let refused = error(&jobs, "sort", json!({ "rows": 1 })).await;
    assert_eq!((&refused["kind"], &refused["status"]), (&json!("too_many_runs"), &json!(503)));
    assert_eq!(refused["message"], "this server has 1 open runs, which is the limit; try again later");
}

#[tokio::test]
async fn a_run_with_too_large_inputs_is_refused() {
    let (jobs, _gate) = jobs_with(Runs::default().open_limits(same(10, 10_000)));
    let refused = error(&jobs, "sort", json!({ "rows": 1, "note": "x".repeat(10_000) })).await;
    assert_eq!((&refused["kind"], &refused["status"]), (&json!("too_many_runs"), &json!(429)));
    let message = refused["message"].as_str().unwrap();
    assert!(message.starts_with("your open runs can have 10000 bytes together, and this one needs 2"), "{message}");
    assert!(message.contains("send less data, wait until one has ended ('status' with `wait`), or cancel one"));
}

struct Printer;

/// Prints.
#[mcp_actions]
impl Printer {
    /// Prints a text of this length.
    #[action(run)]
    async fn print(&self, length: usize) -> String {
        "x".repeat(length)
    }
}

#[tokio::test]
async fn a_run_whose_result_is_too_large_to_be_kept_fails_with_words() {
    let printer = Printer.into_actions().runs(Runs::default().ended_limits(same(10, 10_000)));
    let fits = call(&printer, "print", json!({ "length": 8000, "wait": true })).await;
    assert_eq!(fits["status"], "completed");
    let ended = call(&printer, "print", json!({ "length": 9000, "wait": true })).await;
    assert_eq!((&ended["status"], ended.get("outputs")), (&json!("failed"), None));
    let message = ended["error"]["message"].as_str().unwrap();
    assert!(message.contains("at most 10000 bytes can be kept; return less"), "{ended}");
}

#[tokio::test]
async fn a_run_that_just_fits_is_kept_without_its_trace() {
    let (jobs, gate) = jobs_with(Runs::default().ended_limits(same(10, 1500)));
    gate.add_permits(1);
    let ended = call(&jobs, "sort", json!({ "rows": 1, "note": "x".repeat(100), "wait": true })).await;
    assert_eq!((&ended["status"], &ended["outputs"]["rows"]), (&json!("completed"), &json!(1)));
    let result = call(&jobs, "result", json!({ "run_id": ended["run_id"] })).await;
    assert_eq!((&result["trace"], &result["trace_dropped"]), (&json!([]), &json!(6)));
}

#[tokio::test]
async fn a_text_is_stored_once() {
    let store = Arc::new(MemoryRunStore::new());
    let (jobs, gate) = jobs_in(Arc::clone(&store));
    gate.add_permits(1);
    let note = "x".repeat(100_000);
    let ended = call(&jobs, "sort", json!({ "rows": 1, "note": note, "wait": true })).await;
    assert_eq!(ended["resolved_inputs"], json!({ "rows": 1, "size": "m", "note": note }));
    let stored = store.load(ended["run_id"].as_str().unwrap()).await.unwrap().unwrap();
    assert!(stored.bytes < 103_000, "{}", stored.bytes);
}
