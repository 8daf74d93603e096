//! Calls of tools and of handoffs, as tasks.

use std::{sync::Arc, time::Duration};

use mcp_runtime::{
    Server, Service,
    prelude::*,
    runs::{MemoryRunStore, RunLimits, RunQuota, Runs},
    store::MemoryStore,
};
use serde_json::{Value, json};

use crate::tasks::{
    tools::{greet, server, service},
    wire::{TASKS, Wire},
};

#[tokio::test]
async fn a_call_becomes_a_task_and_its_result_comes_later() {
    let service = service();
    let mut client = Wire::new(&service);
    let created = client.call("sleep", json!({ "millis": 60 })).await;
    let mut names: Vec<_> = created.as_object().unwrap().keys().cloned().collect();
    names.sort();
    assert_eq!(names, ["createdAt", "lastUpdatedAt", "pollIntervalMs", "resultType", "status", "taskId", "ttlMs"]);
    assert_eq!((&created["resultType"], &created["status"]), (&json!("task"), &json!("working")));
    assert_eq!(client.task(&created["taskId"]).await["resultType"], "complete");
    let task = client.reaches(&created["taskId"], "completed").await;
    assert_eq!(task["result"]["content"][0]["text"], "slept 60 ms");
    assert_eq!(task["result"]["resultType"], "complete");
    assert!(task.get("error").is_none() && task.get("inputRequests").is_none());
}

#[tokio::test]
async fn clients_without_the_extension_wait_for_the_result() {
    let service = service();
    let mut client = Wire::without_tasks(&service);
    let result = client.call("sleep", json!({ "millis": 1 })).await;
    assert_eq!((&result["resultType"], &result["content"][0]["text"]), (&json!("complete"), &json!("slept 1 ms")));
    let refused = client.request("tools/call", json!({ "name": "fail" })).await;
    assert_eq!(refused["error"]["code"], -32021);
    assert_eq!(refused["error"]["data"]["requiredCapabilities"]["extensions"], json!({ TASKS: {} }));
    let refused = client.request("tasks/get", json!({ "taskId": "t" })).await;
    assert_eq!(refused["error"]["code"], -32021);
}

#[tokio::test]
async fn tools_that_are_no_tasks_answer_at_once() {
    let service = service();
    let result = Wire::new(&service).call("greet", json!({})).await;
    assert_eq!(result["content"][0]["text"], "hello");
}

#[tokio::test]
async fn errors_of_a_tool_are_results_of_a_completed_task() {
    let service = service();
    let mut client = Wire::new(&service);
    for (tool, text) in [("fail", "out of order"), ("panics", "internal error: the tool `panics` panicked")] {
        let created = client.call(tool, json!({})).await;
        let task = client.reaches(&created["taskId"], "completed").await;
        assert_eq!((&task["result"]["isError"], &task["result"]["content"][0]["text"]), (&json!(true), &json!(text)));
    }
}

#[tokio::test]
async fn questions_are_answered_one_by_one() {
    let service = service();
    let mut client = Wire::new(&service);
    let id = client.call("both", json!({})).await["taskId"].clone();
    let task = client.reaches(&id, "input_required").await;
    let requests = task["inputRequests"].as_object().unwrap().clone();
    assert_eq!(requests.len(), 2);
    assert!(requests.values().all(|request| request["method"] == "elicitation/create"), "{requests:?}");
    let accepted = |name: &str| json!({ "action": "accept", "content": { "name": name } });
    let (first, second) = ("first", "second");
    let answers = json!({ first: accepted("Ann"), "unknown": accepted("x") });
    let ack = client.result("tasks/update", json!({ "taskId": id, "inputResponses": answers })).await;
    assert_eq!(ack, json!({ "resultType": "complete" }));
    let task = client.reaches(&id, "input_required").await;
    assert_eq!(task["inputRequests"].as_object().unwrap().keys().collect::<Vec<_>>(), [second]);
    client.result("tasks/update", json!({ "taskId": id, "inputResponses": { second: accepted("Bob") } })).await;
    let task = client.reaches(&id, "completed").await;
    assert_eq!(task["result"]["content"][0]["text"], "Ann Bob");
    let late = json!({ "taskId": id, "inputResponses": { first: accepted("Eve") } });
    assert_eq!(client.result("tasks/update", late).await, json!({ "resultType": "complete" }));
}

#[tokio::test]
async fn each_question_of_a_task_has_a_key_of_its_own() {
    let service = service();
    let mut client = Wire::new(&service);
    let id = client.call("twice", json!({})).await["taskId"].clone();
    let accepted = |name: Value| json!({ "action": "accept", "content": { "name": name } });
    let mut seen = Vec::new();
    let mut changed_at = String::new();
    // The first answer is invalid, so the first question is asked again.
    for name in [json!(7), json!("Ann"), json!("Bob")] {
        let task = client.asks_anew(&id, &seen).await;
        let requests = task["inputRequests"].as_object().unwrap().clone();
        let updated_at = task["lastUpdatedAt"].as_str().unwrap().to_owned();
        assert!(updated_at > changed_at, "{task}");
        changed_at = updated_at;
        // Answers to earlier questions are ignored.
        let mut answers: serde_json::Map<_, _> =
            seen.iter().map(|key: &String| (key.clone(), accepted(json!("late")))).collect();
        for key in requests.keys() {
            assert!(!seen.contains(key), "{task}");
            seen.push(key.clone());
        }
        client.result("tasks/update", json!({ "taskId": id, "inputResponses": answers })).await;
        assert_eq!(client.task(&id).await["inputRequests"], json!(requests));
        answers.extend(requests.keys().map(|key| (key.clone(), accepted(name.clone()))));
        client.result("tasks/update", json!({ "taskId": id, "inputResponses": answers })).await;
    }
    assert_eq!(client.reaches(&id, "completed").await["result"]["content"][0]["text"], "Ann Bob");
    assert_eq!(seen, ["first", "first#2", "first#2#2"]);
}

#[tokio::test]
async fn a_failed_task_says_why() {
    let service = service();
    let mut client = Wire::new(&service);
    let created = client.call("unserializable", json!({})).await;
    let task = client.reaches(&created["taskId"], "failed").await;
    assert_eq!(task["error"]["code"], -32603);
    assert_eq!(task["statusMessage"], "The result of the tool `unserializable` could not be serialized");
    assert_eq!(task["statusMessage"], task["error"]["message"]);
}

#[tokio::test]
async fn the_time_to_live_counts_from_the_creation_of_a_task() {
    let service = server().tasks(Runs::default().retention(Duration::from_secs(60))).build().unwrap();
    let mut client = Wire::new(&service);
    let created = client.call("sleep", json!({ "millis": 50 })).await;
    assert!(created["ttlMs"].as_u64() < Some(60_050), "{created}");
    let task = client.reaches(&created["taskId"], "completed").await;
    assert!(task["ttlMs"].as_u64() >= Some(60_050), "{task}");
}

#[tokio::test]
async fn a_cancelled_task_stays_cancelled() {
    let service = service();
    let mut client = Wire::new(&service);
    let id = client.call("sleep", json!({ "millis": 60_000 })).await["taskId"].clone();
    for _ in 0..2 {
        let ack = client.result("tasks/cancel", json!({ "taskId": id })).await;
        assert_eq!(ack, json!({ "resultType": "complete" }));
        let task = client.task(&id).await;
        assert_eq!(task["status"], "cancelled");
        assert!(task.get("result").is_none(), "{task}");
    }
}

#[tokio::test]
async fn after_of_a_handoff_is_the_task() {
    let service = service();
    let mut client = Wire::new(&service);
    let arguments = json!({ "seat": "A1" });
    let asked = client.call("book", arguments.clone()).await;
    assert_eq!(asked["resultType"], "input_required");
    let answers = json!({ "first": { "action": "accept", "content": { "name": "Ann" } } });
    let second = json!({
        "name": "book", "arguments": arguments, "inputResponses": answers, "requestState": asked["requestState"],
    });
    let created = client.result("tools/call", second.clone()).await;
    assert_eq!(created["resultType"], "task");
    assert!(created.get("requestState").is_none());
    // A repeated request gets the same task, and the phase runs once.
    assert_eq!(client.result("tools/call", second).await["taskId"], created["taskId"]);
    let task = client.reaches(&created["taskId"], "completed").await;
    assert_eq!(task["result"]["content"][0]["text"], "A1 for Ann");
}

#[tokio::test]
async fn unknown_tasks_and_methods_are_errors() {
    let service = service();
    let mut client = Wire::new(&service);
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let unknown = client.request(method, json!({ "taskId": "t1" })).await;
        assert_eq!(
            (&unknown["error"]["code"], &unknown["error"]["message"]),
            (&json!(-32602), &json!("Unknown task: t1"))
        );
        let invalid = client.request(method, json!({ "taskId": 7 })).await;
        assert_eq!(invalid["error"]["code"], -32602);
    }
    for method in ["tasks/list", "tasks/result"] {
        assert_eq!(client.request(method, json!({ "taskId": "t1" })).await["error"]["code"], -32601);
    }
}

#[tokio::test]
async fn an_owner_has_a_limit_of_open_tasks() {
    let service = server().tasks(Runs::default().limit(1)).build().unwrap();
    let mut client = Wire::new(&service);
    let id = client.call("sleep", json!({ "millis": 60_000 })).await["taskId"].clone();
    let refused = client.request("tools/call", json!({ "name": "sleep", "arguments": { "millis": 1 } })).await;
    assert_eq!(
        refused["error"]["message"],
        "you have 1 open tasks, which is the limit; wait until one has ended, or cancel one; send the same request \
         again later"
    );
    assert_eq!(
        (&refused["error"]["code"], &refused["error"]["data"]),
        (&json!(-32603), &json!({ "retryAfterMs": 1000 }))
    );
    client.result("tasks/cancel", json!({ "taskId": id })).await;
    assert_eq!(client.call("sleep", json!({ "millis": 1 })).await["resultType"], "task");
}

/// Tasks are runs, so every store that follows the contract of runs has tasks too.
#[tokio::test(start_paused = true)]
async fn tasks_are_stored_in_the_store_of_their_server() {
    let store = MemoryStore::new();
    let [first, second] = [(); 2].map(|()| server().store(store.clone()).build().unwrap());
    let id = Wire::new(&first).call("sleep", json!({ "millis": 1 })).await["taskId"].clone();
    assert_eq!(Wire::new(&second).task(&id).await["taskId"], id);
}

#[tokio::test(start_paused = true)]
async fn the_first_answer_after_a_restart_shows_a_dead_task_as_failed() {
    let store = Arc::new(MemoryRunStore::new());
    let in_store = |store: &Arc<MemoryRunStore>| server().tasks(Runs::new(Arc::clone(store))).build().unwrap();
    let first = in_store(&store);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let started = runtime
        .spawn(async move { Wire::new(&first).call("sleep", json!({ "millis": 600_000 })).await["taskId"].clone() });
    let id = started.await.unwrap();
    // The process stops: all its tasks end.
    tokio::task::spawn_blocking(move || drop(runtime)).await.unwrap();
    let second = in_store(&store);
    let task = Wire::new(&second).task(&id).await;
    assert_eq!(
        (&task["status"], &task["statusMessage"]),
        (&json!("failed"), &json!("the server stopped before the task ended"))
    );
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_too_large_for_the_store_is_refused_with_words() {
    let store = Arc::new(MemoryRunStore::new());
    let quota = RunQuota { runs: 10, bytes: 10_000 };
    let limits = RunLimits { per_owner: quota, total: quota };
    let runs = || Runs::new(Arc::clone(&store)).open_limits(limits);
    let (first, second) = (server().tasks(runs()).build().unwrap(), server().tasks(runs()).build().unwrap());
    let mut client = Wire::new(&first);
    let id = client.call("both", json!({})).await["taskId"].clone();
    client.reaches(&id, "input_required").await;
    let mut client = Wire::new(&second);
    let answer = |name: &str| json!({ "action": "accept", "content": { "name": name } });
    let update = |key: &str, answer: Value| json!({ "taskId": id, "inputResponses": { key: answer } });
    let refused = client.request("tasks/update", update("first", answer(&"x".repeat(10_000)))).await;
    let message = refused["error"]["message"].as_str().unwrap_or_default();
    assert!(message.ends_with("a task can take 10000; send shorter answers"), "{refused}");
    for key in ["first", "second"] {
        client.result("tasks/update", update(key, answer(key))).await;
    }
    let task = client.reaches(&id, "completed").await;
    assert_eq!(task["result"]["content"][0]["text"], "first second");
}

#[tokio::test]
async fn the_extension_is_declared_only_with_tasks() {
    async fn extensions(service: &Service) -> Value {
        Wire::new(service).result("server/discover", json!({})).await["capabilities"]["extensions"].clone()
    }
    assert_eq!(extensions(&service()).await, json!({ TASKS: {} }));
    let without = Server::new("s", "1.0.0").tools(tools![greet]).build().unwrap();
    assert_eq!(extensions(&without).await, Value::Null);
    assert_eq!(Wire::new(&without).request("tasks/get", json!({ "taskId": "t" })).await["error"]["code"], -32601);
}
