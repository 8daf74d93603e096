//! Actions that run in the background, and the actions that show and change such runs.

use std::time::Duration;

use mcp_runtime::runs::Runs;
use serde_json::{Value, json};

use crate::actions::jobs::{call, error, jobs, jobs_with, reaches};

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
