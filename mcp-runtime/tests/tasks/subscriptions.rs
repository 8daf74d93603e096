//! Subscriptions to tasks.

use serde_json::json;

use crate::tasks::{
    tools::service,
    wire::{TASKS, Wire},
};

#[tokio::test]
async fn a_subscription_tells_about_each_change_of_a_task() {
    let service = service();
    let mut client = Wire::new(&service);
    let id = client.call("both", json!({})).await["taskId"].clone();
    client.reaches(&id, "input_required").await;
    let mut listener = Wire::new(&service);
    let notifications = json!({ "notifications": { "taskIds": [id, "unknown", id] } });
    let subscription = listener.send("subscriptions/listen", notifications).await;
    let acknowledged = listener.receive().await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(acknowledged["params"]["notifications"], json!({ "taskIds": [id] }), "unknown tasks are left out");
    for (key, status) in [("first", "input_required"), ("second", "completed")] {
        let notice = listener.receive().await;
        assert_eq!((&notice["method"], &notice["params"]["taskId"]), (&json!("notifications/tasks"), &id));
        assert_eq!(notice["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], subscription);
        assert_eq!(
            (&notice["params"]["status"], notice["params"]["inputRequests"].get(key).is_some()),
            (&json!("input_required"), true)
        );
        let answers = json!({ key: { "action": "accept", "content": { "name": key } } });
        client.result("tasks/update", json!({ "taskId": id, "inputResponses": answers })).await;
        client.reaches(&id, status).await;
    }
    let mut last = listener.receive().await;
    while last["params"]["status"] == "working" {
        last = listener.receive().await;
    }
    assert_eq!(last["params"]["status"], "completed");
    assert_eq!(last["params"]["result"]["content"][0]["text"], "first second");
}

#[tokio::test]
async fn a_subscription_to_tasks_needs_the_extension() {
    let service = service();
    let id = Wire::new(&service).call("sleep", json!({ "millis": 60_000 })).await["taskId"].clone();
    let mut client = Wire::without_tasks(&service);
    let refused = client.request("subscriptions/listen", json!({ "notifications": { "taskIds": [id] } })).await;
    assert_eq!(refused["error"]["code"], -32021, "{refused}");
    assert_eq!(refused["error"]["data"]["requiredCapabilities"]["extensions"], json!({ TASKS: {} }));
    client.send("subscriptions/listen", json!({ "notifications": { "taskIds": [] } })).await;
    assert_eq!(client.receive().await["method"], "notifications/subscriptions/acknowledged");
}
