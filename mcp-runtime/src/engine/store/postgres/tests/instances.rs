//! Server processes that share the runs in a database.

use serde_json::{Value, json};

use super::*;
use crate::{apps::actions::Actions, engine::runs::Runs, prelude::*};

const HEARTBEAT: Duration = Duration::from_millis(400);

struct Jobs;

/// Works.
#[mcp_actions]
impl Jobs {
    /// Waits for a long time, unless it is told not to.
    #[action(run)]
    async fn work(&self, is_short: Option<bool>) -> &'static str {
        if is_short != Some(true) {
            sleep(Duration::from_secs(3600)).await;
        }
        "done"
    }
}

async fn call(jobs: &Actions, action: &str, params: Value) -> Value {
    let answer = jobs.handle(json!({ "action": action, "params": params })).await;
    assert!(answer.get("error").is_none(), "{answer}");
    answer["result"].clone()
}

async fn instance(url: &str) -> Actions {
    Jobs.into_actions().runs(Runs::new(connect(url).await).heartbeat(HEARTBEAT))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_runs_of_a_killed_instance_are_interrupted_within_two_heartbeats() {
    let Some(server) = PostgresServer::shared() else { return };
    let url = server.schema();
    let second = instance(&url).await;
    assert_eq!(call(&second, "runs", json!({})).await, json!({ "runs": [] }));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let first = runtime.spawn({
        let url = url.clone();
        async move { instance(&url).await }
    });
    let first = first.await.unwrap();
    let started = runtime.spawn(async move { call(&first, "work", json!({})).await["run_id"].clone() });
    let run_id = started.await.unwrap();
    let ended = call(&second, "work", json!({ "is_short": true, "wait": true })).await;
    // Longer than an instance may be silent.
    sleep(3 * HEARTBEAT).await;
    let runs = call(&second, "runs", json!({})).await["runs"].clone();
    let statuses: Vec<_> = runs.as_array().unwrap().iter().map(|run| (&run["run_id"], &run["status"])).collect();
    assert_eq!(statuses, [(&ended["run_id"], &json!("completed")), (&run_id, &json!("working"))]);

    runtime.shutdown_background();
    let killed = Instant::now();
    while call(&second, "status", json!({ "run_id": run_id })).await["status"] != "interrupted" {
        assert!(killed.elapsed() < Duration::from_secs(30), "the run is not interrupted");
        sleep(Duration::from_millis(10)).await;
    }
    let restarted = call(&second, "restart", json!({ "run_id": run_id })).await;
    assert_eq!((&restarted["status"], &restarted["restarted_from"]), (&json!("working"), &run_id));
}
