//! Runs in progress whose Redis is away or loses them.

use std::time::Duration;

use mcp_runtime::runs::{RunStatus, RunStore as _};
use serde_json::{Value, json};

use super::connect;
use crate::actions::jobs::{call, jobs_in};
use crate::support::redis_server::RedisServer;

#[tokio::test]
async fn a_run_that_ends_during_an_outage_is_stored_after_it() {
    let Some(server) = RedisServer::durable() else { return };
    let (jobs, gate) = jobs_in(connect(&server).await);
    let run_id = call(&jobs, "sort", json!({ "rows": 4 })).await["run_id"].clone();
    server.kill();
    let refused = jobs.handle(json!({ "action": "sort", "params": { "rows": 1 } })).await;
    assert!(refused["error"].is_object(), "no run begins: {refused}");
    gate.add_permits(1);
    while gate.available_permits() > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    server.start_again();
    let stored = connect(&server).await;
    let mut last = None;
    for _ in 0..3000 {
        last = stored.load(run_id.as_str().unwrap()).await.unwrap();
        if last.as_ref().is_some_and(|run| run.status == RunStatus::Completed) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the end is not stored: {last:?}");
}

#[tokio::test]
async fn a_run_that_redis_has_lost_is_cancelled() {
    let Some(server) = RedisServer::start(&["--save", ""]) else { return };
    let (jobs, gate) = jobs_in(connect(&server).await);
    let run_id = call(&jobs, "sort", json!({ "rows": 4 })).await["run_id"].clone();
    server.empty();
    let unknown = async || -> Value {
        jobs.handle(json!({ "action": "status", "params": { "run_id": run_id } })).await["error"]["kind"].clone()
    };
    assert_eq!(unknown().await, "unknown_run");
    // With a beat, the process notices the loss.
    let other = connect(&server).await;
    while other.beat("other").await.unwrap().iter().all(|beat| beat.instance == "other" || beat.count < 3) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // A run that has stopped takes nothing at the gate.
    tokio::time::sleep(Duration::from_secs(1)).await;
    gate.add_permits(1);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(gate.available_permits(), 1, "the run continues");
    assert_eq!(unknown().await, "unknown_run");
}
