//! Calls that ask, in both eras.

#![allow(unused_imports, reason = "in their own crate the macros' probes are not of a foreign macro")]

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::{MemoryClient, Result, Server, prelude::*};

struct Begun(AtomicUsize);

/// Names the folders that are open.
#[mcp_tool(read_only)]
async fn folders(ctx: &Ctx, begun: &Begun, prefix: Option<String>) -> Result<String> {
    begun.0.fetch_add(1, Ordering::Relaxed);
    let roots = ctx.roots().await?;
    let uris: Vec<_> = roots.iter().map(|root| root.uri.as_str()).collect();
    Ok(format!("{}{} ({} begun)", prefix.unwrap_or_default(), uris.join(","), begun.0.load(Ordering::Relaxed)))
}

/// Asks two questions at once.
#[mcp_tool]
async fn twice(ctx: &Ctx) -> Result<String> {
    let (first, second) = tokio::join!(ctx.roots(), ctx.roots());
    Ok(format!("{} and {}", first?.len(), second?.len()))
}

/// Needs nothing.
#[mcp_tool]
async fn plain() -> &'static str {
    "plain"
}

fn connect() -> MemoryClient {
    let server = Server::new("test", "1").state(Begun(AtomicUsize::new(0))).max_concurrent_calls(1);
    server.tools(tools![folders, twice, plain]).build().unwrap().memory()
}

async fn send(client: &MemoryClient, message: Value) {
    client.send(&message.to_string()).await;
}

async fn receive(client: &mut MemoryClient) -> Value {
    serde_json::from_str(&client.receive().await.unwrap()).unwrap()
}

/// One modern `tools/call`, with more members of `params`.
async fn round(client: &mut MemoryClient, tool: &str, more: Value) -> Value {
    let mut params = json!({ "name": tool, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "roots": {} },
    }});
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    send(client, json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })).await;
    receive(client).await
}

fn roots(uri: &str) -> Value {
    json!({ "roots": [{ "uri": uri, "name": "a" }] })
}

fn text(reply: &Value) -> &str {
    reply["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {reply}"))
}

#[tokio::test]
async fn a_modern_client_is_asked_by_ending_the_round() {
    let mut client = connect();
    let asked = round(&mut client, "folders", json!({ "arguments": { "prefix": "> " } })).await;
    assert_eq!(asked["result"]["resultType"], "input_required");
    assert_eq!(asked["result"]["inputRequests"], json!({ "roots": { "method": "roots/list", "params": {} } }));
    let state = asked["result"]["requestState"].clone();

    let answer = json!({ "roots": roots("file:///a") });
    let mut retry = json!({ "arguments": { "prefix": "> " }, "requestState": state, "inputResponses": answer });
    let done = round(&mut client, "folders", retry.clone()).await;
    assert_eq!(text(&done), "> file:///a (1 begun)");

    // The state is spent.
    let again = round(&mut client, "folders", retry.clone()).await;
    assert_eq!(again["error"]["code"], -32602);
    retry["requestState"] = json!("made up");
    assert_eq!(round(&mut client, "folders", retry).await["error"]["code"], -32602);
}

#[tokio::test]
async fn a_request_that_answers_nothing_takes_nothing_up() {
    let mut client = connect();
    let state = round(&mut client, "folders", json!({})).await["result"]["requestState"].clone();
    let good = json!({ "requestState": state, "inputResponses": { "roots": roots("file:///a") } });

    for (member, value) in [
        ("inputResponses", json!({ "other": {} })),
        ("inputResponses", json!({})),
        ("inputResponses", json!({ "roots": 7 })),
        ("inputResponses", json!(null)),
        ("inputResponses", json!([])),
        ("arguments", json!({ "prefix": "other" })),
        ("name", json!("plain")),
    ] {
        let mut wrong = good.clone();
        wrong[member] = value.clone();
        let reply = round(&mut client, "folders", wrong).await;
        let asked_again = reply["result"]["requestState"] == state;
        assert!(asked_again || reply["error"]["code"] == -32602, "{member} {value}: {reply}");
    }
    let mut unable = good.clone();
    unable["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    assert_eq!(round(&mut client, "folders", unable).await["error"]["code"], -32021);

    assert_eq!(text(&round(&mut client, "folders", good).await), "file:///a (1 begun)");
}

#[tokio::test]
async fn questions_asked_together_leave_together_and_partial_answers_stay() {
    let mut client = connect();
    let asked = round(&mut client, "twice", json!({})).await;
    let keys: Vec<_> = asked["result"]["inputRequests"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["roots", "roots#2"]);
    let partial =
        json!({ "requestState": asked["result"]["requestState"], "inputResponses": { "roots#2": roots("b") } });
    let asked = round(&mut client, "twice", partial).await;
    let keys: Vec<_> = asked["result"]["inputRequests"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["roots"]);
    let rest = json!({ "requestState": asked["result"]["requestState"], "inputResponses": { "roots": roots("a") } });
    assert_eq!(text(&round(&mut client, "twice", rest).await), "1 and 1");
}

#[tokio::test]
async fn answers_may_come_before_the_question() {
    let mut client = connect();
    let early = json!({ "inputResponses": { "roots": roots("file:///a"), "unknown": {} } });
    assert_eq!(text(&round(&mut client, "folders", early).await), "file:///a (1 begun)");
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_is_told_what_it_lacks() {
    let mut client = connect();
    let none = json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    let reply = round(&mut client, "folders", none).await;
    assert_eq!(reply["error"]["code"], -32021);
    assert_eq!(reply["error"]["data"], json!({ "requiredCapabilities": { "roots": {} } }));
}

#[tokio::test]
async fn a_session_is_asked_by_a_request() {
    let mut client = connect();
    let params = json!({ "protocolVersion": "2025-06-18", "capabilities": { "roots": {} }, "clientInfo": {} });
    send(&client, json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })).await;
    receive(&mut client).await;

    let call = |id: u64| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "folders" } });
    send(&client, call(1)).await;
    let first = receive(&mut client).await;
    assert_eq!(first, json!({ "jsonrpc": "2.0", "id": "s-1", "method": "roots/list", "params": {} }));
    // One call may run at once; one that waits for an answer does not run.
    send(&client, call(2)).await;
    let second = receive(&mut client).await;
    assert_eq!(second["id"], "s-2");

    send(&client, json!({ "jsonrpc": "2.0", "id": "s-9", "result": {} })).await;
    let refusal = json!({ "code": -32603, "message": "no folder" });
    send(&client, json!({ "jsonrpc": "2.0", "id": "s-2", "error": refusal })).await;
    let reply = receive(&mut client).await;
    assert_eq!((&reply["id"], &reply["result"]["isError"]), (&json!(2), &json!(true)));
    assert_eq!(text(&reply), "the client refused: no folder (code -32603)");

    send(&client, json!({ "jsonrpc": "2.0", "id": "s-1", "result": roots("file:///b") })).await;
    let reply = receive(&mut client).await;
    assert_eq!((&reply["id"], text(&reply)), (&json!(1), "file:///b (2 begun)"));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_never_answers_is_not_waited_for_for_ever() {
    let mut client = connect();
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": { "roots": {} }, "clientInfo": {} });
    send(&client, json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })).await;
    receive(&mut client).await;
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "folders" } });
    send(&client, call).await;
    assert_eq!(receive(&mut client).await["method"], "roots/list");
    let withdrawn = receive(&mut client).await;
    assert_eq!(
        (&withdrawn["method"], &withdrawn["params"]["requestId"]),
        (&json!("notifications/cancelled"), &json!("s-1"))
    );
    let reply = receive(&mut client).await;
    assert_eq!(text(&reply), "the client did not answer within 60s");
}

#[tokio::test]
async fn calls_that_wait_for_an_answer_are_bounded_in_number() {
    let mut client = connect();
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": { "roots": {} }, "clientInfo": {} });
    send(&client, json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })).await;
    receive(&mut client).await;
    for id in 1..=4097 {
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "folders" } });
        send(&client, call).await;
        let reply = receive(&mut client).await;
        match id {
            4097 => assert_eq!(reply["error"]["code"], -32603, "{reply}"),
            _ => assert_eq!(reply["method"], "roots/list", "{reply}"),
        }
    }
}
