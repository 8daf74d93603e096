//! Arrays of messages, which only the revision 2025-03-26 allows.

use mcp_runtime::Revision;
use serde_json::{Value, json};

use crate::protocol::{LEGACY, client::Client, service, service_and_gate};

const REVISION: Revision = Revision::V2025_03_26;

fn request(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

fn call(id: i64, tool: &str, arguments: Value) -> Value {
    request(id, "tools/call", json!({ "name": tool, "arguments": arguments }))
}

fn cancellation(id: i64) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } })
}

/// Sends a batch and returns the responses, which must arrive as one array.
async fn batch(client: &mut Client, messages: Value) -> Vec<Value> {
    client.send(&messages.to_string()).await;
    responses(client).await
}

async fn responses(client: &mut Client) -> Vec<Value> {
    match client.next_response().await {
        Value::Array(responses) => responses,
        other => panic!("not an array: {other}"),
    }
}

fn ids(responses: &[Value]) -> Vec<&Value> {
    responses.iter().map(|response| &response["id"]).collect()
}

#[tokio::test]
async fn answers_ready_calls_in_one_array_in_order() {
    let mut client = Client::open(&service(), REVISION).await;
    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 99 } });
    let messages = json!([
        request("a", "ping", json!({})),
        cancelled,
        call(2, "echo", json!({ "text": "x" })),
        { "jsonrpc": "2.0", "id": 77, "result": {} },
        request("a\n", "tools/list", json!({})),
        request(-4, "no/such", json!({})),
    ]);
    let responses = batch(&mut client, messages).await;
    assert_eq!(ids(&responses), [&json!("a"), &json!(2), &json!("a\n"), &json!(-4)]);
    assert_eq!(responses[1]["result"]["content"][0]["text"], "x");
    assert_eq!(responses[3]["error"]["code"], -32601);
    client.works().await;
}

#[tokio::test]
async fn an_array_of_notifications_and_responses_is_not_answered() {
    let mut client = Client::open(&service(), REVISION).await;
    client
        .send(&json!([cancellation(5), { "jsonrpc": "2.0", "id": 1, "result": {} }, cancellation(6)]).to_string())
        .await;
    client.works().await;
}

#[tokio::test]
async fn an_array_waits_for_its_slowest_call_but_blocks_no_other() {
    let (service, gate) = service_and_gate();
    let mut client = Client::open(&service, REVISION).await;
    client.send(&json!([call(-1, "hold", json!({})), call(-2, "echo", json!({ "text": "x" }))]).to_string()).await;
    gate.wait_for(1).await;
    assert_eq!(client.call("echo", json!({ "text": "meanwhile" })).await["content"][0]["text"], "meanwhile");
    gate.release(1);
    let responses = responses(&mut client).await;
    assert_eq!(ids(&responses), [&json!(-2), &json!(-1)]);
    client.notifications();
    client.works().await;
}

#[tokio::test]
async fn the_other_calls_of_an_array_are_answered_when_one_is_cancelled() {
    let (service, gate) = service_and_gate();
    let mut client = Client::open(&service, REVISION).await;
    let messages = json!([call(-1, "hold", json!({})), call(-2, "hold", json!({})), request(-3, "ping", json!({}))]);
    client.send(&messages.to_string()).await;
    gate.wait_for(2).await;
    client.cancel(&json!(-1)).await;
    gate.wait_for(1).await;
    gate.release(1);
    assert_eq!(ids(&responses(&mut client).await), [&json!(-3), &json!(-2)]);
    client.notifications();
    client.works().await;
}

#[tokio::test]
async fn cancelling_the_last_call_of_an_array_sends_the_rest() {
    let (service, gate) = service_and_gate();
    let mut client = Client::open(&service, REVISION).await;
    client.send(&json!([call(-1, "hold", json!({})), request(-2, "ping", json!({}))]).to_string()).await;
    gate.wait_for(1).await;
    client.cancel(&json!(-1)).await;
    assert_eq!(ids(&responses(&mut client).await), [&json!(-2)]);

    // A whole array cancelled is never answered.
    client.send(&json!([call(-3, "hold", json!({})), call(-4, "hold", json!({}))]).to_string()).await;
    gate.wait_for(2).await;
    client.cancel(&json!(-3)).await;
    client.cancel(&json!(-4)).await;
    gate.wait_for(0).await;
    client.works().await;
}

#[tokio::test]
async fn an_array_that_cancels_its_own_call_is_answered_without_it() {
    let (service, gate) = service_and_gate();
    let mut client = Client::open(&service, REVISION).await;
    let messages = json!([call(-1, "hold", json!({})), request(-2, "ping", json!({})), cancellation(-1)]);
    let responses = batch(&mut client, messages).await;
    assert_eq!(ids(&responses), [&json!(-2)]);
    gate.wait_for(0).await;
    client.forget(&json!(-1));
    client.works().await;
}

#[tokio::test]
async fn an_array_that_ends_another_loses_neither_answer() {
    let (service, gate) = service_and_gate();
    let mut client = Client::open(&service, REVISION).await;
    client.send(&json!([request(-1, "ping", json!({})), call(-2, "hold", json!({}))]).to_string()).await;
    gate.wait_for(1).await;
    client.send(&json!([cancellation(-2), request(-3, "ping", json!({}))]).to_string()).await;
    let (first, second) = (responses(&mut client).await, responses(&mut client).await);
    assert_eq!([ids(&first), ids(&second)], [[&json!(-1)], [&json!(-3)]]);
    client.forget(&json!(-2));
    client.works().await;
}

#[tokio::test]
async fn answers_an_invalid_message_of_an_array_in_its_place() {
    let mut client = Client::open(&service(), REVISION).await;
    let nested = json!(["2.0", 1, "ping", {}, null, null]);
    let initialize = json!({ "protocolVersion": "2025-03-26", "capabilities": {},
        "clientInfo": { "name": "c", "version": "1" } });
    let messages = json!([
        1,
        "x",
        null,
        [],
        nested,
        [request(1, "ping", json!({}))],
        {},
        { "jsonrpc": "1.0", "id": 3, "method": "ping" },
        request(4, "initialize", initialize),
        request(5, "ping", json!({})),
    ]);
    let responses = batch(&mut client, messages).await;
    assert_eq!(responses.len(), 10, "{responses:#?}");
    for refused in &responses[..9] {
        assert_eq!(refused["error"]["code"], -32600, "{refused}");
    }
    for unknown in &responses[..7] {
        assert!(unknown.get("id").is_none(), "{unknown}");
    }
    assert_eq!(ids(&responses[7..]), [&json!(3), &json!(4), &json!(5)]);
    client.works().await;
}

#[tokio::test]
async fn an_empty_or_broken_array_is_one_error() {
    let mut client = Client::open(&service(), REVISION).await;
    assert_eq!(client.refused("[]").await["code"], -32600);
    assert_eq!(client.refused(" [ ] ").await["code"], -32600);
    let broken = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},"#;
    assert_eq!(client.refused(broken).await["code"], -32700);
    assert_eq!(client.refused("[1] 2").await["code"], -32700);
    client.works().await;
}

#[tokio::test]
async fn only_2025_03_26_accepts_arrays() {
    let service = service();
    let messages = json!([request(-1, "ping", json!({})), request(-2, "ping", json!({}))]).to_string();
    for revision in LEGACY.into_iter().filter(|&revision| revision != REVISION) {
        let mut client = Client::open(&service, revision).await;
        no_arrays(&mut client, &messages).await;
    }
    // Not before a handshake either, nor in the modern era.
    no_arrays(&mut Client::silent(&service, Revision::V2026_07_28), &messages).await;
}

async fn no_arrays(client: &mut Client, messages: &str) {
    client.wire.send(messages).await;
    let response = client.next_response().await;
    assert_eq!(response["error"]["code"], -32600);
    assert!(response.get("id").is_none());
    assert_eq!(client.refused("[").await["code"], -32700);
    client.works().await;
}

#[tokio::test]
async fn an_array_can_hold_more_calls_than_the_concurrency_limit() {
    let (server, gate) = crate::protocol::server();
    let mut client = Client::open(&server.max_concurrent_calls(3).build().unwrap(), REVISION).await;
    let calls: Vec<Value> = (100..120).map(|id| call(id, "hold", json!({}))).collect();
    client.send(&json!(calls).to_string()).await;
    gate.wait_for(3).await;
    gate.release(20);
    assert_eq!(responses(&mut client).await.len(), 20);
    assert_eq!(gate.most(), 3);
    client.notifications();
    client.works().await;
}

#[tokio::test]
async fn an_array_has_at_most_100_messages() {
    let mut client = Client::open(&service(), REVISION).await;
    let pings = |count: i64| Value::from_iter((1..=count).map(|id| request(-id, "ping", json!({}))));
    assert_eq!(batch(&mut client, pings(100)).await.len(), 100);

    client.wire.send(&pings(101).to_string()).await;
    let refused = client.next_response().await;
    assert_eq!(refused["error"]["code"], -32600);
    let message = "the batch has 101 messages, and at most 100 are allowed; send several batches";
    assert_eq!(refused["error"]["message"], message);
    // The reply to it is one message, whatever its length.
    client.wire.send(&format!("[1{}]", ",1".repeat(524_286))).await;
    assert!(client.next_response().await["error"]["message"].as_str().unwrap().contains("524287 messages"));
    client.works().await;
}

#[tokio::test]
async fn runs_no_further_request_when_the_reply_is_full() {
    let (service, gate) = service_and_gate();
    let mut client = Client::open(&service, REVISION).await;
    client.send(&json!([call(-1, "hold", json!({}))]).to_string()).await;
    gate.wait_for(1).await;

    // The first answer has 4.8 MB.
    let messages = json!([
        call(1, "numbers", json!({ "count": 700_000 })),
        call(2, "numbers", json!({ "count": 1 })),
        call(3, "hold", json!({})),
        request(4, "ping", json!({})),
        cancellation(-1),
    ]);
    let responses = batch(&mut client, messages).await;
    client.forget(&json!(-1));
    assert_eq!(ids(&responses), [&json!(1), &json!(2), &json!(3), &json!(4)]);
    assert!(responses[0]["result"]["content"].is_array());
    for response in &responses[1..] {
        assert_eq!(response["error"]["code"], -32603);
        let message = response["error"]["message"].as_str().unwrap();
        assert!(message.contains("because its batch has reached the limit: 4"), "{message}");
        assert!(message.ends_with(" bytes of responses; send the same request again later"), "{message}");
    }
    // What has no response is taken all the same.
    gate.wait_for(0).await;
    client.works().await;
}

/// One thread serves both clients. Without a pause between the messages of a batch, the second client would wait for
/// all of them.
#[tokio::test]
async fn serves_other_clients_between_the_messages_of_an_array() {
    let service = service();
    let mut client = Client::open(&service, REVISION).await;
    let mut other = Client::open(&service, REVISION).await;
    let messages: Vec<Value> = (1..=100).map(|id| request(-id, "tools/list", json!({}))).collect();
    let messages = json!(messages).to_string();
    let (answered, taken) = (std::cell::Cell::new(0), std::cell::Cell::new(false));
    tokio::join!(
        async {
            client.send(&messages).await;
            taken.set(true);
        },
        async {
            while !taken.get() {
                other.call("echo", json!({ "text": "x" })).await;
                answered.set(answered.get() + 1);
                tokio::task::yield_now().await;
            }
        }
    );
    assert!(answered.get() >= 50, "{} calls were answered meanwhile", answered.get());
    assert_eq!(responses(&mut client).await.len(), 100);
}
