//! What is a request, a notification, a batch.

use mcp_runtime::contract::jsonrpc;
use serde_json::{Value, json};

use super::{app, app_with, call, post};

#[tokio::test]
async fn an_id_comes_back_as_it_was_written() {
    let app = app();
    for id in ["1", "-7", "1.50", "12345678901234567890123", r#""a""#, r#""\u0061\n""#, "null", "1e3", r#""""#] {
        let request = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"server_status.get"}}"#);
        let expected = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":"fine"}}"#);
        assert_eq!(post(&app, request).await.body, expected);
    }
}

#[tokio::test]
async fn a_notification_gets_no_response() {
    let app = app();
    for method in ["notes.create", "notes.nothing", "server_status.crash"] {
        let request = json!({ "jsonrpc": "2.0", "method": method, "params": { "title": "milk" } });
        let reply = post(&app, request.to_string()).await;
        assert_eq!((reply.status, &*reply.body), (204, ""), "{method}");
    }
    let found = call(&app, "notes.search", json!({ "text": "milk" })).await.unwrap();
    assert_eq!(found[0]["id"], 1, "it was done all the same");
}

#[tokio::test]
async fn invalid_request_is_json_that_is_not_a_request() {
    let app = app();
    for (text, expected) in [
        ("1", "a request must be an object"),
        ("null", "a request must be an object"),
        (r#""notes.get""#, "a request must be an object"),
        ("{}", "`jsonrpc` must be \"2.0\""),
        (r#"{"jsonrpc": 2.0, "method": "notes.list"}"#, "`jsonrpc` must be \"2.0\""),
        (r#"{"jsonrpc": "1.0", "method": "notes.list"}"#, "`jsonrpc` must be \"2.0\""),
        (r#"{"jsonrpc": "2.0"}"#, "`method` must be a string"),
        (r#"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#, "`method` must be a string"),
        (r#"{"jsonrpc": "2.0", "method": "\ud800"}"#, "`method` must be a string"),
        (r#"{"jsonrpc": "2.0", "method": "notes.list", "params": "bar"}"#, "`params` must be an object or an array"),
        (r#"{"jsonrpc": "2.0", "method": "notes.list", "params": null}"#, "`params` must be an object or an array"),
        (r#"{"jsonrpc": "2.0", "method": "notes.list", "id": {}}"#, "`id` must be a string, a number or null"),
        (r#"{"jsonrpc": "2.0", "method": "notes.list", "id": true}"#, "`id` must be a string, a number or null"),
    ] {
        assert_eq!(post(&app, text).await.error(200, -32600), expected, "{text}");
    }
    let twice = r#"{"jsonrpc": "2.0", "method": "notes.list", "method": "notes.clear"}"#;
    assert!(post(&app, twice).await.error(200, -32600).contains("duplicate field `method`"));
    let with_id = post(&app, r#"{"id": 4, "method": "notes.list"}"#).await.json();
    assert_eq!((&with_id["id"], &with_id["error"]["code"]), (&json!(4), &json!(-32600)), "the id is known");
}

#[tokio::test]
async fn a_batch_has_the_order_of_its_requests() {
    // As in the specification: calls, notifications and mistakes in one batch.
    let batch = json!([
        { "jsonrpc": "2.0", "method": "notes.create", "params": { "title": "a" }, "id": "1" },
        { "jsonrpc": "2.0", "method": "notes.create", "params": ["b"] },
        { "jsonrpc": "2.0", "method": "server_status.wait", "id": "2" },
        { "foo": "boo" },
        { "jsonrpc": "2.0", "method": "foo.get", "params": { "name": "myself" }, "id": "5" },
        1,
        [],
        { "jsonrpc": "2.0", "method": "server_status.get", "id": "9" },
    ]);
    let reply = post(&app(), batch.to_string()).await;
    let responses = reply.json();
    let got: Vec<_> = responses
        .as_array()
        .unwrap()
        .iter()
        .map(|response| (response["id"].clone(), response["error"]["code"].as_i64()))
        .collect();
    let expected = [
        (json!("1"), None),
        (json!("2"), Some(-32603)),
        (Value::Null, Some(-32600)),
        (json!("5"), Some(-32601)),
        (Value::Null, Some(-32600)),
        (Value::Null, Some(-32600)),
        (json!("9"), None),
    ];
    assert_eq!(got, expected, "{responses}");
}

#[tokio::test(start_paused = true)]
async fn calls_of_a_batch_run_at_the_same_time() {
    let one = json!({ "jsonrpc": "2.0", "method": "server_status.wait", "id": 1 });
    let start = tokio::time::Instant::now();
    let reply = post(&app(), Value::from(vec![one; 100]).to_string()).await;
    assert_eq!(reply.json().as_array().unwrap().len(), 100);
    // One after the other, a hundred timeouts of 10 ms last a second.
    assert!(start.elapsed() < std::time::Duration::from_millis(900), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_batch_of_notifications_gets_no_response() {
    let notification = json!({ "jsonrpc": "2.0", "method": "notes.clear" });
    let reply = post(&app(), json!([notification, notification]).to_string()).await;
    assert_eq!((reply.status, &*reply.body), (204, ""));
}

#[tokio::test]
async fn a_batch_that_is_empty_or_too_long_is_one_invalid_request() {
    let app = app_with(jsonrpc::Options::new().max_batch(2));
    assert_eq!(post(&app, " [ ] ").await.error(200, -32600), "the batch is empty");
    assert_eq!(post(&app, "[1,2,3]").await.error(200, -32600), "the batch has 3 requests; the limit is 2");
    assert_eq!(post(&app, "[1,2]").await.json().as_array().unwrap().len(), 2);
}
