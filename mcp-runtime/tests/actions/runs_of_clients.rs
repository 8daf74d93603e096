//! Runs as clients see them: questions, progress, log messages and owners.

use std::{sync::Arc, time::Duration};

use mcp_runtime::{
    Revision, Server, Service,
    runs::{MemoryRunStore, RunStore as _, Runs},
    store::{MemoryLedger, MemoryStore},
    testing::Client,
};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::actions::jobs::{Approve, jobs, jobs_with, jobs_with_time};
use crate::support::stores::Store;

const REVISIONS: [Revision; 2] = [Revision::V2025_11_25, Revision::V2026_07_28];

fn service() -> Service {
    Server::new("s", "1.0.0").tool(jobs().0).build().unwrap()
}

fn input(action: &str, params: impl Into<Value>) -> Value {
    json!({ "action": action, "params": params.into() })
}

async fn result(client: &mut Client, action: &str, params: Value) -> Value {
    let answer = client.call("jobs", input(action, params)).await;
    assert!(!answer.is_error(), "{}", answer.text());
    answer.structured_content().unwrap()["result"].clone()
}

fn approve() -> Approve {
    Approve { reason: "old".into() }
}

#[tokio::test]
async fn a_waited_run_asks_the_client() {
    for revision in REVISIONS {
        let service = service();
        let mut client = Client::new(&service, revision);
        let asked = client.call("jobs", input("delete", json!({ "wait": true }))).accept(approve()).await;
        let run = &asked.structured_content().unwrap()["result"];
        assert_eq!((&run["status"], &run["outputs"]), (&json!("completed"), &json!("deleted: old")), "{revision}");
    }
}

#[tokio::test]
async fn a_run_that_asks_waits_for_its_owner() {
    for revision in REVISIONS {
        let service = service();
        let mut client = Client::new(&service, revision);
        let started = result(&mut client, "delete", json!({})).await;
        let run_id = &started["run_id"];
        let mut waiting = started.clone();
        while waiting["status"] == "working" {
            waiting = result(&mut client, "status", json!({ "run_id": run_id })).await;
        }
        assert_eq!(waiting["status"], "input_required");
        assert_eq!(waiting["questions"][0]["params"]["message"], "Delete the file?");
        assert!(waiting["next"].as_str().unwrap().starts_with("the run waits for answers of the user"), "{waiting}");
        let wait = json!({ "run_id": run_id, "wait": true });
        let answered = client.call("jobs", input("status", wait)).accept(approve()).await;
        let run = &answered.structured_content().unwrap()["result"];
        assert_eq!((&run["status"], &run["outputs"]), (&json!("completed"), &json!("deleted: old")), "{revision}");
    }
}

#[tokio::test]
async fn a_refused_question_ends_the_run() {
    for revision in REVISIONS {
        let service = service();
        let mut client = Client::new(&service, revision);
        let asked = client.call("jobs", input("delete", json!({ "wait": true }))).decline().await;
        let run = &asked.structured_content().unwrap()["result"];
        assert_eq!((&run["status"], &run["error"]["message"]), (&json!("failed"), &json!("the user declined")));
    }
}

#[tokio::test]
async fn a_failed_run_is_an_error_result_of_the_call_that_waits() {
    for revision in REVISIONS {
        let (jobs, gate) = jobs();
        gate.add_permits(3);
        let service = Server::new("s", "1.0.0").tool(jobs).build().unwrap();
        let mut client = Client::new(&service, revision);
        let fails = json!({ "rows": 3, "note": "fail", "wait": true });
        let failed = client.call("jobs", input("sort", fails)).await;
        assert!(failed.is_error(), "{failed:?}");
        let run_id = failed.structured_content().unwrap()["result"]["run_id"].clone();
        for (action, params, is_error) in [
            ("status", json!({ "run_id": run_id, "wait": true }), true),
            // Without `wait`, the call only shows the run.
            ("status", json!({ "run_id": run_id }), false),
            ("restart", json!({ "run_id": run_id, "wait": true }), true),
            ("sort", json!({ "rows": 3, "wait": true }), false),
        ] {
            let answer = client.call("jobs", input(action, params.clone())).await;
            assert_eq!(answer.is_error(), is_error, "{action} {params}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn progress_and_logs_of_a_waited_run_flow_to_the_client() {
    for revision in REVISIONS {
        let (jobs, gate) = jobs();
        gate.add_permits(1);
        let service = Server::new("s", "1.0.0").tool(jobs).build().unwrap();
        let mut client = Client::new(&service, revision);
        let answer = client.call("jobs", input("sort", json!({ "rows": 3, "wait": true }))).await;
        assert_eq!(answer.logs()[0].data, json!({ "step": "read" }), "without what is internal");
        let progress: Vec<_> = answer.progress().iter().map(|report| report.progress).collect();
        assert_eq!(progress.last(), Some(&3.0), "{progress:?}");
    }
}

/// A run can end before the call begins to wait for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn progress_and_logs_of_a_run_that_ends_at_once_are_not_lost() {
    for round in 0..200 {
        let (jobs, gate) = jobs();
        gate.add_permits(1);
        let service = Server::new("s", "1.0.0").tool(jobs).build().unwrap();
        let mut client = Client::new(&service, REVISIONS[round % 2]);
        let answer = client.call("jobs", input("sort", json!({ "rows": 3, "wait": true }))).await;
        assert_eq!(answer.logs().first().map(|log| &log.data), Some(&json!({ "step": "read" })), "round {round}");
        let progress: Vec<_> = answer.progress().iter().map(|report| report.progress).collect();
        assert_eq!(progress.last(), Some(&3.0), "round {round}: {progress:?}");
    }
}

#[tokio::test]
async fn a_run_of_another_process_asks_through_this_one() {
    for (revision, store) in
        REVISIONS.into_iter().flat_map(|revision| Store::all().into_iter().map(move |store| (revision, store)))
    {
        let service = async || Server::new("s", "1.0.0").tool(jobs_with_time(store.runs().await).0).build().unwrap();
        let (first, second) = (service().await, service().await);
        let started = result(&mut Client::new(&first, revision), "delete", json!({})).await;
        let mut client = Client::new(&second, revision);
        let wait = json!({ "run_id": started["run_id"], "wait": true });
        let answered = client.call("jobs", input("status", wait)).accept(approve()).await;
        let run = &answered.structured_content().unwrap()["result"];
        let words = format!("{revision}, {}", store.name());
        assert_eq!((&run["status"], &run["outputs"]), (&json!("completed"), &json!("deleted: old")), "{words}");
    }
}

/// Without reports, each answer would need a heartbeat of the process that has the run.
#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_reports_changes_brings_many_answers_within_one_heartbeat() {
    let heartbeat = Duration::from_secs(10);
    for store in Store::all() {
        let counter = store.runs().await;
        if counter.changes().is_none() {
            continue;
        }
        let service = async || {
            let runs = Runs::new(store.runs().await).heartbeat(heartbeat).wait(10 * heartbeat);
            Server::new("s", "1.0.0").tool(jobs_with(runs).0).build().unwrap()
        };
        let (first, second) = (service().await, service().await);
        let (mut first, mut second) = (Client::modern(&first), Client::modern(&second));
        let mut run_ids = Vec::new();
        for _ in 0..12 {
            run_ids.push(result(&mut first, "delete", json!({})).await["run_id"].clone());
        }
        // The second process waits until it knows that the first one runs.
        result(&mut second, "status", json!({ "run_id": run_ids[0] })).await;
        let beats = async || counter.beat("counter").await.unwrap().iter().map(|beat| beat.count).sum::<u64>();
        let before = beats().await;
        for run_id in run_ids {
            let wait = json!({ "run_id": run_id, "wait": true });
            let answered = second.call("jobs", input("status", wait)).accept(approve()).await;
            assert_eq!(answered.structured_content().unwrap()["result"]["outputs"], "deleted: old");
        }
        let beats = beats().await - before;
        assert!(beats < 12, "12 answers took {beats} beats with {}", store.name());
    }
}

/// The heartbeat is an hour here, and the time of the test passes only while everything waits.
#[tokio::test(start_paused = true)]
async fn answers_cancellations_and_ends_reach_another_process_before_the_next_heartbeat() {
    let heartbeat = Duration::from_secs(3600);
    let store = Arc::new(MemoryRunStore::new());
    let service = || {
        let (jobs, gate) = jobs_with(Runs::new(Arc::clone(&store)).heartbeat(heartbeat).wait(heartbeat));
        (Server::new("s", "1.0.0").tool(jobs).build().unwrap(), gate)
    };
    let ((first, gate), (second, _)) = (service(), service());
    let (mut first, mut second) = [first, second].map(|service| Client::modern(&service)).into();
    let deleted = result(&mut first, "delete", json!({})).await["run_id"].clone();
    let sorted = result(&mut first, "sort", json!({ "rows": 3 })).await["run_id"].clone();
    // The second process waits until it knows that the first one runs.
    result(&mut second, "status", json!({ "run_id": deleted })).await;

    let start = Instant::now();
    let wait = json!({ "run_id": deleted, "wait": true });
    let answered = second.call("jobs", input("status", wait)).accept(approve()).await;
    assert_eq!(answered.structured_content().unwrap()["result"]["outputs"], "deleted: old");
    let (ended, ()) = tokio::join!(result(&mut second, "status", json!({ "run_id": sorted, "wait": true })), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        gate.add_permits(1);
    });
    assert_eq!(ended["status"], "completed");
    let sorted = result(&mut first, "sort", json!({ "rows": 3 })).await["run_id"].clone();
    result(&mut second, "cancel", json!({ "run_id": sorted })).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    gate.add_permits(1);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(gate.available_permits(), 1, "the cancelled run takes nothing");
    assert!(start.elapsed() < heartbeat / 100, "{:?}", start.elapsed());
}

#[tokio::test]
async fn runs_are_stored_in_the_store_of_their_server() {
    let (store, own) = (Arc::new(MemoryRunStore::new()), Arc::new(MemoryRunStore::new()));
    let server = || Server::new("s", "1.0.0").store((MemoryLedger::new(), Arc::clone(&store)));
    for (runs, stored) in [(Runs::default(), &store), (Runs::new(Arc::clone(&own)), &own)] {
        let service = server().tool(jobs_with(runs).0).build().unwrap();
        let started = result(&mut Client::modern(&service), "sort", json!({ "rows": 3 })).await;
        assert!(stored.load(started["run_id"].as_str().unwrap()).await.unwrap().is_some());
    }
}

#[tokio::test]
async fn actions_that_were_used_before_their_server_was_built_need_a_store_of_their_own() {
    let (jobs, _gate) = jobs_with(Runs::default());
    for name in ["one", "two"] {
        Server::new(name, "1.0.0").store(MemoryStore::new()).tool(jobs.clone()).build().unwrap();
    }
    let (jobs, _gate) = jobs_with(Runs::default());
    jobs.handle(input("sort", json!({ "rows": 3 }))).await;
    let error = Server::new("late", "1.0.0").store(MemoryStore::new()).tool(jobs).build().unwrap_err().to_string();
    assert!(error.contains("tool `jobs`: its runs are in memory, because its actions were used before"), "{error}");
}

#[tokio::test]
async fn a_run_belongs_to_its_principal() {
    let service = service();
    let mut ann = Client::new(&service, Revision::V2026_07_28).principal("ann");
    let mut bob = Client::new(&service, Revision::V2026_07_28).principal("bob");
    let run_id = result(&mut ann, "sort", json!({ "rows": 3 })).await["run_id"].clone();
    for action in ["status", "cancel", "restart"] {
        let refused = bob.call("jobs", input(action, json!({ "run_id": run_id }))).await;
        assert_eq!(refused.structured_content().unwrap()["error"]["kind"], "unknown_run");
    }
    assert_eq!(result(&mut bob, "runs", json!({})).await["runs"], json!([]));
    assert_eq!(result(&mut ann, "runs", json!({})).await["runs"][0]["run_id"], run_id);
}

#[tokio::test]
async fn a_cancelled_run_that_waits_for_an_answer_counts_no_more() {
    for store in Store::all() {
        let service = async || {
            let (jobs, _) = jobs_with(Runs::new(store.runs().await).limit(1).heartbeat(Duration::from_millis(40)));
            Server::new("s", "1.0.0").tool(jobs).build().unwrap()
        };
        let (first, second) = (service().await, service().await);
        let mut client = Client::new(&first, Revision::V2026_07_28);
        for canceller in [&first, &second] {
            let run_id = result(&mut client, "delete", json!({})).await["run_id"].clone();
            while result(&mut client, "status", json!({ "run_id": run_id })).await["status"] != "input_required" {
                tokio::task::yield_now().await;
            }
            let refused = client.call("jobs", input("delete", json!({}))).await;
            assert_eq!(refused.structured_content().unwrap()["error"]["kind"], "too_many_runs");
            let mut other = Client::new(canceller, Revision::V2026_07_28);
            let cancelled = result(&mut other, "cancel", json!({ "run_id": run_id })).await;
            assert_eq!((&cancelled["status"], cancelled.get("questions")), (&json!("cancelled"), None));
        }
        result(&mut client, "delete", json!({})).await;
    }
}

#[tokio::test]
async fn a_run_outlives_the_call_that_waits_for_it() {
    let (jobs, gate) = jobs();
    let service = Server::new("s", "1.0.0").tool(jobs).build().unwrap();
    let mut client = Client::new(&service, Revision::V2025_11_25);
    let run_id = result(&mut client, "sort", json!({ "rows": 3 })).await["run_id"].clone();
    drop(client);
    gate.add_permits(1);
    let mut other = Client::new(&service, Revision::V2026_07_28);
    let ended = result(&mut other, "status", json!({ "run_id": run_id, "wait": true })).await;
    assert_eq!(ended["status"], "completed");
}

#[test]
fn instructions_name_the_runs() {
    let text = service().manifest()["instructions"].as_str().unwrap().to_owned();
    assert!(
        text.contains("These actions start a run in the background and return its `run_id`: sort, delete."),
        "{text}"
    );
}

#[test]
fn built_in_actions_are_listed_only_with_runs() {
    let names = service().manifest()["tools"][0]["inputSchema"]["properties"]["action"]["enum"].clone();
    assert_eq!(names, json!(["sort", "delete", "time", "status", "cancel", "restart", "runs", "describe"]));
}
