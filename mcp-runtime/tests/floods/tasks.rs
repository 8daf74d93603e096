//! Tasks, which the server keeps after their end.

use mcp_runtime::{Server, Service, prelude::*, runs::Runs};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    floods::{
        caller::Caller,
        memory::{Idle, PART},
        runs::{LARGE, limits},
    },
    support::own_process::in_own_process,
};

/// Returns the length of the text, and the text.
#[mcp_tool(task)]
async fn measure(text: String) -> Json<Measured> {
    Json(Measured { length: text.len(), text })
}

#[derive(Serialize, schemars::JsonSchema)]
struct Measured {
    length: usize,
    text: String,
}

/// Never ends.
#[mcp_tool(task)]
async fn hold(text: String) {
    std::future::pending::<()>().await;
    drop(text);
}

fn service() -> Service {
    let runs = Runs::default().open_limits(limits([100, 1_000])).ended_limits(limits([1_000, 10_000]));
    Server::new("s", "1.0.0").tools(tools![measure, hold]).tasks(runs).build().unwrap()
}

async fn task_id(caller: &mut Caller, text: &str) -> String {
    let created = caller.call("measure", json!({ "text": text })).await;
    created["result"]["taskId"].as_str().unwrap_or_else(|| panic!("{created}")).to_owned()
}

async fn ended(caller: &mut Caller, id: &str) -> Value {
    loop {
        let mut task = caller.request("tasks/get", json!({ "taskId": id })).await;
        if task["result"]["status"] != "working" {
            return task["result"].take();
        }
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn ended_tasks_with_large_arguments_keep_a_bounded_number_of_bytes() {
    in_own_process!();
    let service = service();
    let (mut ann, mut bob) = (Caller::with_tasks(&service, "ann"), Caller::with_tasks(&service, "bob"));
    let of_bob = task_id(&mut bob, "mine").await;
    ended(&mut bob, &of_bob).await;
    let idle = Idle::measure();
    let text = "x".repeat(LARGE);
    let params = format!(r#"{{"name":"measure","arguments":{{"text":"{text}"}}}}"#);
    for _ in 0..120 {
        // While too many tasks are open, the call is refused.
        while !ann.request_text("tools/call", &params).await.contains(r#""resultType":"task""#) {
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
    }
    let id = task_id(&mut ann, &text).await;
    let task = ended(&mut ann, &id).await;
    idle.assert_peak_of_part();
    assert_eq!(task["result"]["structuredContent"]["length"], LARGE);
    assert!(task["result"]["content"][0]["text"].as_str().unwrap().len() > LARGE);
    let task = ended(&mut bob, &of_bob).await;
    assert_eq!(task["result"]["structuredContent"]["text"], "mine");
    assert_eq!(task["result"]["content"][0]["text"], r#"{"length":4,"text":"mine"}"#);
    let kept = idle.more();
    assert!(kept < 10_000_000, "{} MB are kept", kept / 1_000_000);
}

#[tokio::test]
async fn open_tasks_with_large_arguments_are_refused_with_words() {
    in_own_process!();
    let service = service();
    let (mut ann, mut bob) = (Caller::with_tasks(&service, "ann"), Caller::with_tasks(&service, "bob"));
    let text = "x".repeat(LARGE);
    let idle = Idle::measure();
    let mut begun = Vec::new();
    let refused = loop {
        let mut answer = ann.call("hold", json!({ "text": text })).await;
        match answer["error"].take() {
            Value::Null if begun.len() < 100 => begun.push(answer["result"]["taskId"].take()),
            error => break error,
        }
    };
    idle.assert_peak_of_part();
    let message = refused["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("your open tasks can have 4194304 bytes together"), "{message}");
    let of_bob = task_id(&mut bob, "mine").await;
    assert_eq!(ended(&mut bob, &of_bob).await["status"], "completed");
    for id in begun {
        ann.request("tasks/cancel", json!({ "taskId": id })).await;
    }
    assert!(ann.call("hold", json!({ "text": text })).await["result"]["taskId"].is_string());
    let kept = idle.more();
    assert!(kept < 2_000_000, "{kept} bytes are kept");
}

#[tokio::test]
async fn unread_notices_about_a_large_task_are_bounded_and_arrive_later() {
    in_own_process!();
    let service = service();
    let (mut ann, mut bob) = (Caller::with_tasks(&service, "ann"), Caller::with_tasks(&service, "bob"));
    let id = task_id(&mut ann, &"x".repeat(PART * LARGE)).await;
    ended(&mut ann, &id).await;
    let idle = Idle::measure();
    let mut slow = Caller::with_tasks(&service, "ann");
    for _ in 0..30 {
        slow.send("subscriptions/listen", json!({ "notifications": { "taskIds": [id] } })).await;
    }
    // A client that reads gets a notice at once, because its notice is small.
    let of_bob = task_id(&mut bob, "mine").await;
    bob.send("subscriptions/listen", json!({ "notifications": { "taskIds": [of_bob] } })).await;
    while !bob.receive().await.contains(r#""method":"notifications/tasks""#) {}
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    idle.assert_peak_of_part();
    let mut notices = 0;
    while notices < 30 {
        notices += usize::from(slow.receive().await.contains(r#""method":"notifications/tasks""#));
    }
    idle.assert_peak_of_part();
}
