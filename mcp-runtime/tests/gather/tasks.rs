//! Mounted servers with tasks.

use std::time::Duration;

use mcp_runtime::{
    Revision, Service,
    prelude::*,
    remote::Remote,
    runs::Runs,
    store::{KeyRing, MemoryLedger},
    testing::Client,
};
use serde_json::{Value, json};

use crate::{
    support::remote_servers::{Kind, Started},
    tasks::wire::{TASKS, Wire},
};

const KINDS: [Kind; 2] = [Kind::Service, Kind::Http];

fn gateway(remote: &Remote) -> Server {
    Server::new("gateway", "1").mount("studio", remote)
}

fn built(remote: &Remote) -> Service {
    gateway(remote).build().unwrap()
}

fn named(name: &str) -> Value {
    json!({ "action": "accept", "content": { "name": name } })
}

#[tokio::test]
async fn a_task_of_a_mounted_server_is_a_task_of_the_gateway() {
    for kind in KINDS {
        let studio = Started::studio(kind).await;
        let service = built(&studio.remote);
        let mut client = Wire::new(&service);
        let capabilities = client.result("server/discover", json!({})).await["capabilities"].clone();
        assert_eq!(capabilities["extensions"][TASKS], json!({}), "{kind:?}");
        let created = client.call("studio_paint", json!({ "millis": 700 })).await;
        assert_eq!((&created["resultType"], &created["status"]), (&json!("task"), &json!("working")), "{kind:?}");
        let task = client.reaches(&created["taskId"], "completed").await;
        assert_eq!(task["result"]["content"][0]["text"], "painted", "{kind:?}");
        let server = &task["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"];
        assert_eq!(server, "gateway", "{kind:?}");
        assert_eq!(studio.done.take(), ["paint"], "{kind:?}");
        // The id is that of the gateway, and the studio has another one.
        assert!(!studio.requests.last().contains(created["taskId"].as_str().unwrap()), "{kind:?}");
    }
}

#[tokio::test]
async fn the_questions_of_a_task_are_those_of_the_task_of_the_gateway() {
    for kind in KINDS {
        let studio = Started::studio(kind).await;
        let service = built(&studio.remote);
        let mut client = Wire::new(&service);
        let id = client.call("studio_mix", json!({})).await["taskId"].clone();
        for (key, name) in [("color", "red"), ("frame", "oak")] {
            let task = client.asks_anew(&id, &["color".to_owned()][..usize::from(key == "frame")]).await;
            assert_eq!(task["inputRequests"].as_object().unwrap().keys().collect::<Vec<_>>(), [key], "{kind:?}");
            client.result("tasks/update", json!({ "taskId": id, "inputResponses": { key: named(name) } })).await;
        }
        let task = client.reaches(&id, "completed").await;
        assert_eq!(task["result"]["content"][0]["text"], "red and oak", "{kind:?}");
        assert_eq!(studio.done.take(), ["mix red oak"], "{kind:?}");
    }
}

#[tokio::test]
async fn a_cancellation_reaches_the_task_of_the_mounted_server() {
    for kind in KINDS {
        let studio = Started::studio(kind).await;
        let service = built(&studio.remote);
        let mut client = Wire::new(&service);
        let id = client.call("studio_dry", json!({})).await["taskId"].clone();
        studio.done.until("dry").await;
        client.result("tasks/cancel", json!({ "taskId": id })).await;
        client.reaches(&id, "cancelled").await;
        studio.done.until("cancelled").await;
        // A task that waits for an answer.
        let id = client.call("studio_mix", json!({})).await["taskId"].clone();
        client.reaches(&id, "input_required").await;
        client.result("tasks/cancel", json!({ "taskId": id })).await;
        client.reaches(&id, "cancelled").await;
    }
}

#[tokio::test]
async fn a_task_that_the_gateway_has_no_place_for_is_cancelled() {
    let studio = Started::studio(Kind::Http).await;
    let service = gateway(&studio.remote).tasks(Runs::default().limit(1)).build().unwrap();
    let mut client = Wire::new(&service);
    client.call("studio_dry", json!({})).await;
    let refused = client.request("tools/call", json!({ "name": "studio_dry", "arguments": {} })).await;
    let message = refused["error"]["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("you have 1 open tasks, which is the limit"), "{refused}");
    studio.done.until("cancelled").await;
    assert_eq!(studio.done.take(), ["dry", "dry", "cancelled"]);
}

#[tokio::test]
async fn a_failed_task_fails_with_the_same_error() {
    let studio = Started::studio(Kind::Http).await;
    let service = built(&studio.remote);
    let mut client = Wire::new(&service);
    let id = client.call("studio_spill", json!({})).await["taskId"].clone();
    let task = client.reaches(&id, "failed").await;
    assert_eq!(task["error"]["code"], -32603);
    assert_eq!(task["error"]["message"], "The result of the tool `spill` could not be serialized");
}

#[tokio::test]
async fn a_client_that_does_not_know_tasks_waits_for_the_result() {
    for kind in KINDS {
        let studio = Started::studio(kind).await;
        let service = built(&studio.remote);
        for revision in [Revision::LATEST, Revision::V2025_11_25] {
            let mut client = Client::new(&service, revision);
            let reply = client.call("studio_paint", json!({ "millis": 300 })).await;
            assert_eq!(reply.text(), "painted", "{kind:?} {revision}");
            let reply = client.call("studio_varnish", json!({})).await;
            assert_eq!(reply.text(), "the varnish is empty", "{kind:?} {revision}");
        }
    }
}

/// Answers the question of `studio_sell`.
fn second_round(asked: &Value) -> Value {
    json!({
        "name": "studio_sell",
        "arguments": { "millis": 2500 },
        "inputResponses": { "color": named("red") },
        "requestState": asked["requestState"],
    })
}

#[tokio::test]
async fn a_gateway_that_takes_over_follows_the_task_that_was_begun() {
    let studio = Started::studio(Kind::Http).await;
    let ledger = MemoryLedger::new();
    let instance = || {
        // A remote of its own, with its own connections.
        let remote = studio.remote.clone().timeout(Duration::from_secs(20));
        let server = gateway(&remote).ledger(ledger.clone()).state_keys(KeyRing::new([7; 32]));
        server.lease(Duration::from_millis(300)).build().unwrap()
    };
    let first = instance();
    let dying = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let (asking, asked) = tokio::sync::oneshot::channel();
    dying.spawn(async move {
        let mut client = Wire::without_tasks(&first);
        let asked = client.call("studio_sell", json!({ "millis": 2500 })).await;
        asking.send(asked.clone()).unwrap();
        client.request("tools/call", second_round(&asked)).await;
    });
    let asked = asked.await.unwrap();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    studio.done.until("sell red").await;
    // It asks for the status when it has recorded the task.
    let followed = async {
        while studio.requests.count("tasks/get") == 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), followed).await.expect("the task is followed");
    // The process stops while it follows the task.
    tokio::task::spawn_blocking(move || drop(dying)).await.unwrap();
    let calls = studio.requests.count("tools/call");
    let second = instance();
    let result = Wire::without_tasks(&second).result("tools/call", second_round(&asked)).await;
    assert_eq!(result["content"][0]["text"], "red is sold", "{result}");
    assert_eq!(studio.done.take(), ["sell red"]);
    assert_eq!((calls, studio.requests.count("tools/call")), (2, 2));
}
