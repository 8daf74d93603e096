//! The program as a client meets it.

use mcp_runtime::{Revision, testing::Client};
use pipelines::Replace;
use serde_json::{Value, json};

use crate::support::{data, input, program, report};

const REVISIONS: [Revision; 2] = [Revision::V2025_11_25, Revision::V2026_07_28];

#[tokio::test]
async fn a_waited_run_reports_its_steps_and_asks_before_it_replaces_a_report() {
    for revision in REVISIONS {
        let data = data();
        let mut client = Client::process(program(&data)).revision(revision);
        let run =
            |count: u8| input("run", json!({ "name": "top_customers", "inputs": { "count": count }, "wait": true }));
        let first = client.call("pipelines", run(1)).await;
        assert_eq!(first.structured_content().unwrap()["result"]["status"], "completed", "{revision}");
        let progress: Vec<_> = first.progress().iter().filter_map(|report| report.message.clone()).collect();
        assert_eq!(progress.last().map(String::as_str), Some("done"), "{revision}: {progress:?}");
        let kinds: Vec<_> = first.logs().iter().map(|log| log.data["kind"].clone()).collect();
        assert_eq!(kinds, ["read", "aggregate", "join", "filter", "sort", "write"], "{revision}");

        let kept = client.call("pipelines", run(2)).accept(Replace { replace: false }).await;
        assert_eq!(kept.structured_content().unwrap()["result"]["status"], "failed", "{revision}");
        assert_eq!(report(&data, "top_customers.csv").lines().count(), 2, "{revision}");
        let replaced = client.call("pipelines", run(2)).accept(Replace { replace: true }).await;
        assert_eq!(replaced.structured_content().unwrap()["result"]["status"], "completed", "{revision}");
        assert_eq!(report(&data, "top_customers.csv").lines().count(), 3, "{revision}");
    }
}

#[tokio::test]
async fn a_run_without_wait_keeps_its_question_for_the_user() {
    for revision in REVISIONS {
        let data = data();
        let mut client = Client::process(program(&data)).revision(revision);
        let mut run_id = Value::Null;
        for _ in 0..2 {
            let started = client.call("pipelines", input("run", json!({ "name": "top_customers" }))).await;
            run_id = started.structured_content().unwrap()["result"]["run_id"].clone();
            loop {
                let status = client.call("pipelines", input("status", json!({ "run_id": run_id }))).await;
                if status.structured_content().unwrap()["result"]["status"] != "working" {
                    break;
                }
            }
        }
        let status = client.call("pipelines", input("status", json!({ "run_id": run_id }))).await;
        let asking = &status.structured_content().unwrap()["result"];
        assert_eq!(asking["status"], "input_required", "{revision}");
        let message = &asking["questions"][0]["params"]["message"];
        assert_eq!(message, "`reports/top_customers.csv` exists. Replace it?");
        let wait = input("status", json!({ "run_id": run_id, "wait": true }));
        let ended = client.call("pipelines", wait).accept(Replace { replace: true }).await;
        assert_eq!(ended.structured_content().unwrap()["result"]["status"], "completed", "{revision}");
    }
}

#[test]
fn names_a_data_folder_that_is_missing() {
    let ended = program(&data()).args(["--data", "/nowhere/at/all", "tools"]).output().unwrap();
    assert_eq!(ended.status.code(), Some(2));
    let text = String::from_utf8(ended.stderr).unwrap();
    assert!(text.contains("`/nowhere/at/all` (`--data`, `PIPELINES_DATA`) cannot be read"), "{text}");
}
