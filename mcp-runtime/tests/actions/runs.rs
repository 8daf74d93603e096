//! Actions that run in the background, and the actions that show and change such runs.

use std::{sync::Arc, time::Duration};

use mcp_runtime::{
    actions::Actions,
    prelude::*,
    runs::{
        InstanceBeat, MemoryRunStore, RunFilter, RunInsertion, RunLimits, RunQuota, RunRecord, RunStore,
        RunStoreFuture, Runs,
    },
};
use serde_json::{Value, json};

use crate::actions::jobs::{call, jobs, jobs_in, jobs_with, reaches};
use crate::support::stores::Store;

async fn error(jobs: &Actions, action: &str, params: Value) -> Value {
    let answer = jobs.handle(json!({ "action": action, "params": params })).await;
    answer["error"].clone()
}

#[tokio::test]
async fn a_run_answers_at_once_and_goes_on() {
    let (jobs, gate) = jobs();
    let started = call(&jobs, "sort", json!({ "rows": 5 })).await;
    assert_eq!(started["status"], "working");
    assert!(started["run_id"].as_str().unwrap().len() >= 32, "{started}");
    assert!(started["next"].as_str().unwrap().contains(started["run_id"].as_str().unwrap()), "{started}");
    assert!(started.get("outputs").is_none());
    gate.add_permits(1);
    let ended = reaches(&jobs, &started["run_id"], "completed").await;
    assert_eq!(ended["outputs"], json!({ "rows": 5, "size": "m" }));
}

#[tokio::test]
async fn wait() {
    let (jobs, gate) = jobs();
    gate.add_permits(1);
    let ended = call(&jobs, "sort", json!({ "rows": 5, "wait": true })).await;
    assert_eq!((&ended["status"], &ended["outputs"]["rows"]), (&json!("completed"), &json!(5)));
}

#[tokio::test]
async fn a_wait_is_bounded_and_says_how_to_go_on() {
    let (jobs, gate) = jobs_with(Runs::default().wait(Duration::from_millis(30)));
    let waited = call(&jobs, "sort", json!({ "rows": 5, "wait": true })).await;
    assert_eq!(waited["status"], "working");
    let next = waited["next"].as_str().unwrap();
    let input: Value = serde_json::from_str(&next[next.find('{').unwrap()..]).unwrap();
    gate.add_permits(1);
    assert_eq!(jobs.handle(input).await["result"]["status"], "completed");
}

#[tokio::test]
async fn resolved_inputs() {
    let (jobs, _gate) = jobs();
    let started = call(&jobs, "sort", json!({ "rows": 5, "wait": false })).await;
    assert_eq!(started["resolved_inputs"], json!({ "rows": 5, "size": "m", "note": null }));
    let started = call(&jobs, "order", json!({ "rows": 1, "size": "s", "note": "x" })).await;
    assert_eq!(started["resolved_inputs"], json!({ "rows": 1, "size": "s", "note": "x" }));
}

#[tokio::test]
async fn merged_status_with_flag_and_alias() {
    let (jobs, gate) = jobs();
    let run_id = call(&jobs, "sort", json!({ "rows": 5 })).await["run_id"].clone();
    gate.add_permits(1);
    reaches(&jobs, &run_id, "completed").await;
    let short = call(&jobs, "status", json!({ "run_id": run_id })).await;
    assert!(short.get("trace").is_none() && short["outputs"].is_object(), "{short}");
    let flag = call(&jobs, "status", json!({ "run_id": run_id, "include_trace": true })).await;
    assert_eq!(flag, call(&jobs, "result", json!({ "run_id": run_id })).await);
    let events: Vec<_> = flag["trace"].as_array().unwrap().iter().map(|entry| entry["event"].clone()).collect();
    assert_eq!(events, ["started", "progress", "log", "log", "progress", "ended"]);
}

#[tokio::test]
async fn nothing_internal_leaves_through_a_run() {
    let (jobs, gate) = jobs();
    gate.add_permits(3);
    for note in ["", "fail", "panic"] {
        let ended = call(&jobs, "sort", json!({ "rows": 5, "note": note, "wait": true })).await;
        let text = call(&jobs, "result", json!({ "run_id": ended["run_id"] })).await.to_string();
        for hidden in ["secret", "L-1", "L-2", "L-3", "L-4", "hidden", "lease\":"] {
            assert!(!text.contains(hidden), "{hidden}: {text}");
        }
    }
}

#[tokio::test]
async fn errors_and_panics_end_a_run_as_failed() {
    let (jobs, gate) = jobs();
    gate.add_permits(2);
    let failed = call(&jobs, "sort", json!({ "rows": 7, "note": "fail", "wait": true })).await;
    assert_eq!(failed["status"], "failed");
    assert_eq!(failed["error"]["message"], "cannot sort: Sorted { rows: 7, lease: …}");
    let failed = call(&jobs, "sort", json!({ "rows": 7, "note": "panic", "wait": true })).await;
    assert_eq!((&failed["status"], &failed["error"]["kind"]), (&json!("failed"), &json!("failed")));
}

#[tokio::test]
async fn parameters_are_checked_before_a_run_begins() {
    let (jobs, _gate) = jobs();
    let error = error(&jobs, "sort", json!({ "rows": 0, "size": "l", "rws": 1 })).await;
    assert_eq!(error["kind"], "invalid_params");
    assert_eq!(error["problems"].as_array().unwrap().len(), 3, "{error}");
    assert_eq!(call(&jobs, "runs", json!({})).await, json!({ "runs": [] }));
}

#[tokio::test]
async fn a_cancelled_run_stops() {
    let (jobs, gate) = jobs();
    let run_id = call(&jobs, "sort", json!({ "rows": 5 })).await["run_id"].clone();
    let cancelled = call(&jobs, "cancel", json!({ "run_id": run_id })).await;
    assert_eq!(cancelled["status"], "cancelled");
    gate.add_permits(1);
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(gate.available_permits(), 1, "the run has stopped at the gate");
    let again = error(&jobs, "cancel", json!({ "run_id": run_id })).await;
    assert_eq!(again["kind"], "run_ended");
    assert!(again["message"].as_str().unwrap().ends_with("it has ended: cancelled"), "{again}");
}

#[tokio::test]
async fn restart_runs_again_with_the_same_inputs() {
    let (jobs, gate) = jobs();
    gate.add_permits(2);
    let first = call(&jobs, "sort", json!({ "rows": 9, "size": "s", "wait": true })).await;
    let second = call(&jobs, "restart", json!({ "run_id": first["run_id"], "wait": true })).await;
    assert_ne!(second["run_id"], first["run_id"]);
    assert_eq!(second["restarted_from"], first["run_id"]);
    assert_eq!((&second["outputs"], &second["resolved_inputs"]), (&first["outputs"], &first["resolved_inputs"]));
}

#[tokio::test]
async fn runs_are_listed_in_pages_and_by_action_and_status() {
    let (jobs, gate) = jobs();
    let mut ids = Vec::new();
    for rows in 1..=5 {
        ids.push(call(&jobs, "sort", json!({ "rows": rows })).await["run_id"].clone());
    }
    gate.add_permits(1);
    reaches(&jobs, &ids[0], "completed").await;
    let (mut listed, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let mut params = json!({ "limit": 2, "status": "working" });
        if cursor.is_string() {
            params["cursor"] = cursor;
        }
        let page = call(&jobs, "runs", params).await;
        listed.extend(page["runs"].as_array().unwrap().iter().map(|run| run["run_id"].clone()));
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    listed.sort_by_key(|id| ids.iter().position(|other| other == id));
    assert_eq!(listed, ids[1..], "each run once");
    assert_eq!(call(&jobs, "runs", json!({ "action": "delete" })).await["runs"], json!([]));
    let wrong = error(&jobs, "runs", json!({ "cursor": "x" })).await;
    assert!(wrong["message"].as_str().unwrap().contains("got 'x'"), "{wrong}");
}

#[tokio::test]
async fn an_unknown_run_is_an_error_that_says_so() {
    let (jobs, _gate) = jobs();
    for action in ["status", "cancel", "restart"] {
        let unknown = error(&jobs, action, json!({ "run_id": "r1" })).await;
        assert_eq!(unknown["kind"], "unknown_run");
        assert_eq!(unknown["message"], "there is no run 'r1'; the action 'runs' lists your runs");
    }
}

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

#[tokio::test(start_paused = true)]
async fn the_first_list_after_a_restart_shows_dead_runs_as_interrupted() {
    let store = Arc::new(MemoryRunStore::new());
    let run_id = run_of_a_dead_process(Arc::clone(&store)).await;
    let (second, _gate) = jobs_in(store);
    assert_eq!(call(&second, "runs", json!({ "status": "working" })).await["runs"], json!([]));
    let interrupted = call(&second, "runs", json!({ "status": "interrupted" })).await;
    assert_eq!(interrupted["runs"][0]["run_id"], run_id);
}

#[tokio::test(start_paused = true)]
async fn the_first_status_of_a_run_of_a_living_process_is_working() {
    let store = Arc::new(MemoryRunStore::new());
    let ((first, _gate), (second, _)) = (jobs_in(Arc::clone(&store)), jobs_in(store));
    let run_id = call(&first, "sort", json!({ "rows": 4 })).await["run_id"].clone();
    for _ in 0..3 {
        assert_eq!(call(&second, "status", json!({ "run_id": run_id })).await["status"], "working");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
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

/// 1,000 concurrent runs, none lost, none doubled.
#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_concurrent_runs_all_end_once() {
    let (jobs, gate) = jobs_with(Runs::default().limit(1000));
    let starts = (0..1000).map(|rows| {
        let jobs = jobs.clone();
        tokio::spawn(async move { call(&jobs, "sort", json!({ "rows": rows % 1000 + 1 })).await["run_id"].clone() })
    });
    let mut ids = Vec::new();
    for start in starts.collect::<Vec<_>>() {
        ids.push(start.await.unwrap());
    }
    gate.add_permits(1000);
    for (rows, id) in ids.iter().enumerate() {
        let ended = call(&jobs, "status", json!({ "run_id": id, "wait": true })).await;
        assert_eq!((&ended["status"], &ended["outputs"]["rows"]), (&json!("completed"), &json!(rows + 1)));
    }
    assert_eq!(gate.available_permits(), 0, "each run has gone through the gate once");
}

/// Begins a run in a process that stops before the run has ended, and returns the id of the run.
async fn run_of_a_dead_process(store: Arc<MemoryRunStore>) -> Value {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let started = runtime.spawn(async move {
        let (jobs, _gate) = jobs_in(store);
        call(&jobs, "sort", json!({ "rows": 4 })).await["run_id"].clone()
    });
    let run_id = started.await.unwrap();
    // All tasks of the runtime end.
    tokio::task::spawn_blocking(move || drop(runtime)).await.unwrap();
    run_id
}

#[tokio::test(start_paused = true)]
async fn runs_of_a_process_that_stopped_are_interrupted_and_can_be_restarted() {
    let store = Arc::new(MemoryRunStore::new());
    let run_id = run_of_a_dead_process(Arc::clone(&store)).await;
    let (second, gate) = jobs_in(store);
    let interrupted = call(&second, "status", json!({ "run_id": run_id })).await;
    assert_eq!(interrupted["status"], "interrupted", "the first answer is right");
    assert!(interrupted["next"].as_str().unwrap().contains(r#""action":"restart""#), "{interrupted}");
    gate.add_permits(1);
    let again = call(&second, "restart", json!({ "run_id": run_id, "wait": true })).await;
    assert_eq!((&again["status"], &again["outputs"]["rows"]), (&json!("completed"), &json!(4)));
}

#[tokio::test]
async fn a_run_of_another_process_can_be_waited_for_and_cancelled() {
    for store in Store::all() {
        let ((first, gate), (second, _)) = (jobs_in(store.runs().await), jobs_in(store.runs().await));
        let run_id = call(&first, "sort", json!({ "rows": 4 })).await["run_id"].clone();
        gate.add_permits(1);
        let ended = call(&second, "status", json!({ "run_id": run_id, "wait": true })).await;
        assert_eq!(ended["outputs"]["rows"], 4, "{}", store.name());

        let run_id = call(&first, "sort", json!({ "rows": 4 })).await["run_id"].clone();
        assert_eq!(call(&second, "cancel", json!({ "run_id": run_id })).await["status"], "cancelled");
        // The first process notices it and stops the run, which then takes nothing at the gate.
        tokio::time::sleep(Duration::from_millis(200)).await;
        gate.add_permits(1);
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(gate.available_permits(), 1, "{}", store.name());
        assert_eq!(call(&first, "status", json!({ "run_id": run_id })).await["status"], "cancelled");
    }
}

/// A store that is slow to store new runs.
struct Slow(MemoryRunStore);

impl RunStore for Slow {
    fn insert<'a>(&'a self, run: &'a RunRecord, limits: RunLimits) -> RunStoreFuture<'a, RunInsertion> {
        Box::pin(async move {
            let stored = self.0.insert(run, limits).await;
            tokio::time::sleep(Duration::from_millis(50)).await;
            stored
        })
    }

    fn load<'a>(&'a self, id: &'a str) -> RunStoreFuture<'a, Option<RunRecord>> {
        self.0.load(id)
    }

    fn replace<'a>(&'a self, run: &'a RunRecord) -> RunStoreFuture<'a, bool> {
        self.0.replace(run)
    }

    fn list<'a>(&'a self, filter: &'a RunFilter) -> RunStoreFuture<'a, Vec<RunRecord>> {
        self.0.list(filter)
    }

    fn beat<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, Vec<InstanceBeat>> {
        self.0.beat(instance)
    }

    fn forget<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, ()> {
        self.0.forget(instance)
    }

    fn remove_ended<'a>(&'a self, tool: &'a str, before: u64, limits: RunLimits) -> RunStoreFuture<'a, usize> {
        self.0.remove_ended(tool, before, limits)
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_whose_call_was_dropped_while_it_was_stored_is_interrupted() {
    let (jobs, _gate) = jobs_in(Slow(MemoryRunStore::new()));
    let begins = jobs.handle(json!({ "action": "sort", "params": { "rows": 1 } }));
    assert!(tokio::time::timeout(Duration::from_millis(10), begins).await.is_err());
    let runs = call(&jobs, "runs", json!({})).await;
    reaches(&jobs, &runs["runs"][0]["run_id"], "interrupted").await;
}
