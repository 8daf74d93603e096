//! Runs of actions, as tasks.

use mcp_runtime::{Result, Server, Service, prelude::*};
use serde_json::json;

use crate::tasks::wire::Wire;

struct Reports;

#[elicits]
enum Topics {
    Topic { topic: String },
}

/// Writes reports.
#[mcp_actions]
impl Reports {
    /// Writes a report.
    #[action(run)]
    async fn write(&self, ctx: &Ctx<Topics>, pages: u32) -> Result<Json<serde_json::Value>> {
        if pages == 0 {
            return Err("a report has pages".into());
        }
        let Topic { topic } = ctx.elicit::<Topic>("About what?").strict().await?;
        Ok(Json(json!({ "topic": topic, "pages": pages, "_draft": "hidden" })))
    }
}

fn service() -> Service {
    Server::new("s", "1.0.0").tool(Reports.into_actions()).build().unwrap()
}

fn write(pages: u32) -> serde_json::Value {
    json!({ "action": "write", "params": { "pages": pages, "wait": true } })
}

#[tokio::test]
async fn a_waited_run_is_a_task_with_the_id_of_the_run() {
    let service = service();
    let mut client = Wire::new(&service);
    let created = client.call("reports", write(2)).await;
    assert_eq!(created["resultType"], "task");
    let task = client.reaches(&created["taskId"], "input_required").await;
    let key = task["inputRequests"].as_object().unwrap().keys().next().unwrap().clone();
    let answers = json!({ key: { "action": "accept", "content": { "topic": "tea" } } });
    client.result("tasks/update", json!({ "taskId": created["taskId"], "inputResponses": answers })).await;
    let task = client.reaches(&created["taskId"], "completed").await;
    let run = &task["result"]["structuredContent"]["result"];
    assert_eq!((&run["run_id"], &run["status"]), (&created["taskId"], &json!("completed")));
    assert_eq!(run["outputs"], json!({ "topic": "tea", "pages": 2 }), "without what is internal");
    let status = json!({ "action": "status", "params": { "run_id": created["taskId"] } });
    assert_eq!(&client.call("reports", status).await["structuredContent"]["result"]["outputs"], &run["outputs"]);
}

#[tokio::test]
async fn a_failed_run_is_a_completed_task_with_an_error_result() {
    let service = service();
    let mut client = Wire::new(&service);
    let created = client.call("reports", write(0)).await;
    let task = client.reaches(&created["taskId"], "completed").await;
    assert_eq!(task["result"]["isError"], true);
    let run = &task["result"]["structuredContent"]["result"];
    assert_eq!((&run["status"], &run["error"]["message"]), (&json!("failed"), &json!("a report has pages")));
}

#[tokio::test]
async fn a_run_that_is_not_waited_for_can_be_followed_as_a_task() {
    let service = service();
    let mut client = Wire::new(&service);
    let started = client.call("reports", json!({ "action": "write", "params": { "pages": 1 } })).await;
    let run = &started["structuredContent"]["result"];
    assert_eq!(started["resultType"], "complete");
    client.reaches(&run["run_id"], "input_required").await;
    client.result("tasks/cancel", json!({ "taskId": run["run_id"] })).await;
    client.reaches(&run["run_id"], "cancelled").await;
}
