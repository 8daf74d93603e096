//! A cancelled call stops, and the server sends nothing more about it.

use std::time::Duration;

use mcp_runtime::Revision;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::protocol::{client::Client, service_and_gate};

#[tokio::test]
async fn drops_the_future_and_sends_nothing_more() {
    for revision in Revision::ALL {
        let (service, gate) = service_and_gate();
        let mut client = Client::open(&service, revision).await;
        let id = client.begin_call("hold", json!({}), json!({ "progressToken": "p" })).await;
        assert_eq!(client.next().await["params"]["progress"], 0.1);
        assert_eq!(gate.running(), 1);
        client.cancel(&id).await;
        gate.wait_for(0).await;
        gate.release(1);
        sleep(Duration::from_millis(20)).await;
        client.works().await;
    }
}

#[tokio::test]
async fn ignores_messages_of_tasks_left_by_a_cancelled_call() {
    for revision in Revision::ALL {
        let (service, gate) = service_and_gate();
        let mut client = Client::open(&service, revision).await;
        let meta = json!({ "progressToken": "p", "io.modelcontextprotocol/logLevel": "debug" });
        let id = client.begin_call("haunt", json!({}), meta).await;
        gate.wait_for(1).await;
        client.cancel(&id).await;
        // The task that the call started continues and sees the cancellation, but sends nothing.
        gate.wait_for(0).await;
        sleep(Duration::from_millis(20)).await;
        client.works().await;
        assert!(client.notifications().is_empty());
    }
}

#[tokio::test]
async fn ignores_messages_of_tasks_left_by_a_finished_call() {
    for revision in Revision::ALL {
        let (service, gate) = service_and_gate();
        let mut client = Client::open(&service, revision).await;
        let meta = json!({ "progressToken": "p", "io.modelcontextprotocol/logLevel": "debug" });
        let id = client.begin_call("straggle", json!({}), meta).await;
        client.response(&id).await;
        gate.release(1);
        gate.wait_for(0).await;
        client.works().await;
        assert!(client.notifications().is_empty());
    }
}

#[tokio::test]
async fn only_the_named_call_is_cancelled() {
    for revision in Revision::ALL {
        let (service, gate) = service_and_gate();
        let mut client = Client::open(&service, revision).await;
        let first = client.begin_call("hold", json!({}), json!({})).await;
        let second = client.begin_call("hold", json!({}), json!({})).await;
        gate.wait_for(2).await;
        client.cancel(&first).await;
        gate.wait_for(1).await;
        gate.release(1);
        assert_eq!(client.response(&second).await["result"]["content"][0]["text"], "let go");
    }
}

#[tokio::test]
async fn ignores_a_cancellation_without_a_matching_request() {
    for revision in Revision::ALL {
        let (service, gate) = service_and_gate();
        let mut client = Client::open(&service, revision).await;
        let id = client.begin_call("hold", json!({}), json!({})).await;
        gate.wait_for(1).await;
        let wrong_type = json!(id.to_string());
        for params in [
            json!({ "requestId": 99 }),
            json!({ "requestId": wrong_type }),
            json!({ "requestId": null }),
            json!({ "requestId": 1.5 }),
            json!({ "requestId": [id] }),
            json!({}),
            json!([id]),
            Value::Null,
        ] {
            client.notify("notifications/cancelled", params).await;
        }
        assert_eq!(gate.running(), 1);
        gate.release(1);
        client.response(&id).await;
        client.notifications();
        // Too late.
        client.notify("notifications/cancelled", json!({ "requestId": id })).await;
        client.works().await;
    }
}

#[tokio::test]
async fn the_id_of_a_cancelled_call_can_be_reused() {
    for revision in Revision::ALL {
        let (service, gate) = service_and_gate();
        let mut client = Client::open(&service, revision).await;
        for _ in 0..50 {
            let hold = client.message(&json!("again"), "tools/call", json!({ "name": "hold" }));
            client.send(&hold.to_string()).await;
            client.cancel(&json!("again")).await;
        }
        let hold = client.message(&json!("again"), "tools/call", json!({ "name": "hold" }));
        client.send(&hold.to_string()).await;
        gate.wait_for(1).await;
        gate.release(1);
        assert_eq!(client.response(&json!("again")).await["result"]["content"][0]["text"], "let go");
    }
}

/// A call that ends at the moment of its cancellation must not answer the next call with the same id.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_answer_does_not_answer_the_next_call_with_the_id() {
    let service = crate::protocol::service();
    let mut client = Client::open(&service, Revision::V2026_07_28).await;
    for _ in 0..300 {
        let nap = |milliseconds: u32| {
            let params = json!({ "name": "nap", "arguments": { "milliseconds": milliseconds } });
            client.message(&json!("again"), "tools/call", params).to_string()
        };
        let (short, long) = (nap(1), nap(3));
        client.wire.send(&short).await;
        sleep(Duration::from_millis(1)).await;
        let cancelled = json!({ "requestId": "again" });
        client.notify("notifications/cancelled", cancelled).await;
        client.wire.send(&long).await;
        let mut answers = Vec::new();
        while answers.last().is_none_or(|answer| answer != "slept 3 ms") {
            let answer: Value = serde_json::from_str(&client.wire.receive().await.unwrap()).unwrap();
            answers.push(answer["result"]["content"][0]["text"].clone());
        }
        // The first may have been answered before it was cancelled.
        assert!(answers == ["slept 3 ms"] || answers == ["slept 1 ms", "slept 3 ms"], "{answers:?}");
    }
}

#[tokio::test]
async fn a_queued_call_that_is_cancelled_never_runs() {
    let (server, gate) = crate::protocol::server();
    let service = server.max_concurrent_calls(1).build().unwrap();
    let mut client = Client::open(&service, Revision::V2025_03_26).await;
    let call = |id: i64, tool: &str, arguments: Value| {
        client.message(&json!(id), "tools/call", json!({ "name": tool, "arguments": arguments }))
    };
    let batch = json!([call(-1, "hold", json!({})), call(-2, "hold", json!({}))]);
    let next = call(-2, "nap", json!({ "milliseconds": 20 })).to_string();
    client.send(&batch.to_string()).await;
    gate.wait_for(1).await;
    // The second call stands in the queue by now.
    sleep(Duration::from_millis(5)).await;
    client.cancel(&json!(-2)).await;
    let (sent, ()) = tokio::join!(tokio::time::timeout(Duration::from_secs(5), client.send(&next)), async {
        sleep(Duration::from_millis(20)).await;
        gate.release(1);
    });
    sent.expect("there is room again");
    let batch = client.next_response().await;
    assert_eq!(batch[0]["id"], -1);
    assert_eq!(client.response(&json!(-2)).await["result"]["content"][0]["text"], "slept 20 ms");
    client.notifications();
    assert_eq!(gate.most(), 1);
    client.works().await;
}

#[tokio::test]
async fn a_timeout_ends_the_call_with_an_error() {
    for revision in Revision::ALL {
        let (service, gate) = service_and_gate();
        let mut client = Client::open(&service, revision).await;
        let text = client.failed_call("brief", json!({})).await;
        assert!(text.contains("brief") && text.contains("50ms"), "{text}");
        assert_eq!(gate.running(), 0, "the future is dropped");
        // In time it is a call like any other.
        gate.release(1);
        assert!(client.call("brief", json!({})).await.get("isError").is_none());
        client.works().await;
    }
}

#[tokio::test]
async fn a_disconnect_ends_the_calls_of_a_client() {
    let (service, gate) = service_and_gate();
    let mut client = Client::open(&service, Revision::V2025_11_25).await;
    client.begin_call("hold", json!({}), json!({})).await;
    gate.wait_for(1).await;
    drop(client);
    gate.wait_for(0).await;
}
