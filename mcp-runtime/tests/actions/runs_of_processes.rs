//! Runs that one process began, seen from another process with the same store.

use std::{sync::Arc, time::Duration};

use mcp_runtime::runs::MemoryRunStore;
use serde_json::{Value, json};

use crate::{
    actions::jobs::{call, jobs_in, jobs_with_time, reaches},
    support::{slow_run_store::SlowRunStore, stores::Store},
};

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
        let ((first, gate), (second, _)) = (jobs_with_time(store.runs().await), jobs_with_time(store.runs().await));
        let run_id = call(&first, "sort", json!({ "rows": 4 })).await["run_id"].clone();
        gate.add_permits(1);
        let ended = call(&second, "status", json!({ "run_id": run_id, "wait": true })).await;
        assert_eq!(ended["outputs"]["rows"], 4, "{}", store.name());

        let run_id = call(&first, "sort", json!({ "rows": 4 })).await["run_id"].clone();
        assert_eq!(call(&second, "cancel", json!({ "run_id": run_id })).await["status"], "cancelled");
        // The first process notices it and stops the run, which then takes nothing at the gate.
        tokio::time::sleep(Duration::from_secs(3)).await;
        gate.add_permits(1);
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(gate.available_permits(), 1, "{}", store.name());
        assert_eq!(call(&first, "status", json!({ "run_id": run_id })).await["status"], "cancelled");
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_whose_call_was_dropped_while_it_was_stored_is_interrupted() {
    let (jobs, _gate) = jobs_in(SlowRunStore::default());
    let begins = jobs.handle(json!({ "action": "sort", "params": { "rows": 1 } }));
    assert!(tokio::time::timeout(Duration::from_millis(10), begins).await.is_err());
    let runs = call(&jobs, "runs", json!({})).await;
    reaches(&jobs, &runs["runs"][0]["run_id"], "interrupted").await;
}
