//! Runs whose store is a server that stops, or loses what it has stored.

use std::time::{Duration, Instant};

use mcp_runtime::runs::{RunFilter, RunStatus};
use serde_json::{Value, json};

use crate::{
    actions::{
        jobs::{call, jobs_in},
        records::{NO_LIMITS, change, insert, run},
    },
    support::stores::StoreServer,
};

fn all() -> RunFilter {
    RunFilter { limit: 100, ..RunFilter::default() }
}

#[tokio::test]
async fn runs_survive_a_crash_of_the_server() {
    for server in StoreServer::all() {
        let store = server.store().runs().await;
        let mut run = run("r1");
        insert(&*store, &run).await;
        for round in 0..3 {
            server.kill();
            assert!(store.load("r1").await.is_err(), "{}", server.store().name());
            server.start_again();
            assert_eq!(server.store().runs().await.list(&all()).await.unwrap(), [run.clone()]);
            run = change(&*store, &run, &round.to_string()).await;
            assert_eq!(store.load("r1").await.unwrap().as_ref(), Some(&run));
        }
    }
}

#[tokio::test]
async fn an_emptied_store_has_no_runs() {
    for server in StoreServer::all() {
        let store = server.store().runs().await;
        insert(&*store, &run("r1")).await;
        store.beat("i1").await.unwrap();
        server.empty();
        assert!(!store.replace(&run("r1")).await.unwrap());
        assert_eq!((store.load("r1").await.unwrap(), store.list(&all()).await.unwrap()), (None, vec![]));
        assert_eq!(store.remove_ended("jobs", u64::MAX, NO_LIMITS).await.unwrap(), 0);
        assert_eq!(store.beat("i1").await.unwrap()[0].count, 1);
        insert(&*store, &run("r1")).await;
    }
}

#[tokio::test]
async fn operations_fail_during_an_outage_and_recover() {
    for server in StoreServer::all() {
        let store = server.store().runs().await;
        insert(&*store, &run("r1")).await;
        server.kill();
        let since = Instant::now();
        let error = store.load("r1").await.unwrap_err().to_string();
        let begin = format!("the store of runs failed: {} at ", server.store().name());
        assert!(error.starts_with(&begin), "{error}");
        store.replace(&run("r1")).await.unwrap_err();
        assert!(since.elapsed() < Duration::from_secs(30), "{:?}", since.elapsed());
        server.start_again();
        change(&*store, &run("r1"), "next").await;
    }
}

#[tokio::test]
async fn a_run_that_ends_during_an_outage_is_stored_after_it() {
    for server in StoreServer::all() {
        let (jobs, gate) = jobs_in(server.store().runs().await);
        let run_id = call(&jobs, "sort", json!({ "rows": 4 })).await["run_id"].clone();
        server.kill();
        let refused = jobs.handle(json!({ "action": "sort", "params": { "rows": 1 } })).await;
        assert!(refused["error"].is_object(), "no run begins: {refused}");
        gate.add_permits(1);
        while gate.available_permits() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        server.start_again();
        let stored = server.store().runs().await;
        let patience = Instant::now() + Duration::from_secs(60);
        loop {
            let last = stored.load(run_id.as_str().unwrap()).await;
            if matches!(&last, Ok(Some(run)) if run.status == RunStatus::Completed) {
                break;
            }
            assert!(Instant::now() < patience, "the end is not stored: {last:?}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

#[tokio::test]
async fn a_run_that_the_store_has_lost_is_cancelled() {
    for server in StoreServer::all() {
        let (jobs, gate) = jobs_in(server.store().runs().await);
        let run_id = call(&jobs, "sort", json!({ "rows": 4 })).await["run_id"].clone();
        server.empty();
        let unknown = async || -> Value {
            jobs.handle(json!({ "action": "status", "params": { "run_id": run_id } })).await["error"]["kind"].clone()
        };
        assert_eq!(unknown().await, "unknown_run");
        // With a beat, the process notices the loss.
        let other = server.store().runs().await;
        while other.beat("other").await.unwrap().iter().all(|beat| beat.instance == "other" || beat.count < 3) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        // A run that has stopped takes nothing at the gate.
        tokio::time::sleep(Duration::from_secs(1)).await;
        gate.add_permits(1);
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(gate.available_permits(), 1, "the run continues with {}", server.store().name());
        assert_eq!(unknown().await, "unknown_run");
    }
}
