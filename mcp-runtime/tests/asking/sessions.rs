//! Questions as requests of the server, before 2026-07-28, on the wire.

use std::time::Duration;

use mcp_runtime::{MemoryClient, Result, Server, prelude::*};
use serde_json::{Value, json};

use crate::asking::{Dinner, Pick};

/// Orders a dish.
#[mcp_tool]
async fn order(ctx: &Ctx<Dinner>) -> Result<String> {
    Ok(ctx.elicit::<Pick>("Which dish?").strict().await?.dish)
}

/// Orders a dish for somebody.
#[mcp_tool]
async fn order_for(ctx: &Ctx<Dinner>, guest: String) -> Result<String> {
    let dish = ctx.elicit::<Pick>("Which dish?").strict().await?.dish;
    Ok(format!("{} bytes: {dish}", guest.len()))
}

/// Has a task that asks, and does not wait for it.
#[mcp_tool]
async fn impatient(ctx: &Ctx<Dinner>) -> &'static str {
    let ctx = ctx.clone();
    tokio::spawn(async move { ctx.elicit::<Pick>("Which dish?").await.is_ok() });
    tokio::time::sleep(Duration::from_millis(1)).await;
    "done"
}

struct Wire(MemoryClient);

impl Wire {
    /// A session of a server that runs one call at a time.
    async fn open() -> Self {
        let service = Server::new("test", "1")
            .max_concurrent_calls(1)
            .tools(tools![order, order_for, impatient])
            .build()
            .unwrap();
        let mut wire = Self(service.memory());
        let params =
            json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} }, "clientInfo": {} });
        wire.send(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })).await;
        wire.receive().await;
        wire
    }

    async fn send(&self, message: Value) {
        self.0.send(&message.to_string()).await;
    }

    async fn receive(&mut self) -> Value {
        serde_json::from_str(&self.0.receive().await.unwrap()).unwrap()
    }

    /// Calls the tool and returns the server's message.
    async fn call(&mut self, id: impl Into<Value>) -> Value {
        let params = json!({ "name": "order" });
        self.send(json!({ "jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": params })).await;
        self.receive().await
    }

    async fn answer(&self, id: &str, dish: &str) {
        let result = json!({ "action": "accept", "content": { "dish": dish } });
        self.send(json!({ "jsonrpc": "2.0", "id": id, "result": result })).await;
    }
}

fn text(reply: &Value) -> &str {
    reply["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {reply}"))
}

#[tokio::test]
async fn a_call_that_waits_for_an_answer_frees_its_slot() {
    let mut wire = Wire::open().await;
    let first = wire.call(1).await;
    assert_eq!((&first["id"], &first["method"]), (&json!("s-1"), &json!("elicitation/create")));
    let second = wire.call("s-1").await;
    assert_eq!(second["id"], "s-2", "an id of the client's own may be one of the server's");

    wire.answer("s-2", "soup").await;
    let reply = wire.receive().await;
    assert_eq!((&reply["id"], text(&reply)), (&json!("s-1"), "soup"));
    wire.answer("s-1", "fish").await;
    let reply = wire.receive().await;
    assert_eq!((&reply["id"], text(&reply)), (&json!(1), "fish"));
}

#[tokio::test]
async fn ignores_an_answer_without_a_question() {
    let mut wire = Wire::open().await;
    wire.answer("s-1", "rice").await;
    wire.call(1).await;
    for stranger in ["s-2", "s-0", "1", ""] {
        wire.answer(stranger, "rice").await;
    }
    wire.send(json!({ "jsonrpc": "2.0", "id": 1, "result": {} })).await;
    wire.answer("s-1", "soup").await;
    // Too late.
    wire.answer("s-1", "fish").await;
    assert_eq!(text(&wire.receive().await), "soup");
    assert_eq!(wire.call(2).await["id"], "s-2");
}

#[tokio::test]
async fn withdraws_the_question_of_a_cancelled_call() {
    let mut wire = Wire::open().await;
    wire.call(1).await;
    wire.send(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } })).await;
    let withdrawn = wire.receive().await;
    assert_eq!(withdrawn["method"], "notifications/cancelled");
    assert_eq!(withdrawn["params"]["requestId"], "s-1");
    wire.answer("s-1", "soup").await;
    assert_eq!(wire.call(2).await["id"], "s-2", "not a word about the first call");
}

#[tokio::test(start_paused = true)]
async fn withdraws_the_questions_of_a_finished_call() {
    let mut wire = Wire::open().await;
    let params = json!({ "name": "impatient" });
    wire.send(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })).await;
    assert_eq!(wire.receive().await["id"], "s-1");
    let withdrawn = wire.receive().await;
    assert_eq!(
        (&withdrawn["method"], &withdrawn["params"]["requestId"]),
        (&json!("notifications/cancelled"), &json!("s-1"))
    );
    assert_eq!(text(&wire.receive().await), "done");
}

#[tokio::test]
async fn rejects_content_with_a_duplicate_field() {
    for content in [
        r#"{"dish":"soup","dish":"x"}"#,
        r#"{"dish":"x","dish":"soup"}"#,
        r#"{"dish":"soup","d\u0069sh":"soup"}"#,
        r#"{"dish":"soup","other":1,"other":2}"#,
    ] {
        let mut wire = Wire::open().await;
        wire.call(1).await;
        let message = format!(r#"{{"jsonrpc":"2.0","id":"s-1","result":{{"action":"accept","content":{content}}}}}"#);
        wire.0.send(&message).await;
        let next = wire.receive().await;
        let message = next["params"]["message"].as_str().unwrap_or_else(|| panic!("{content} is taken: {next}"));
        assert!(message.contains("appears twice in `content`"), "{next}");
    }
}

#[tokio::test]
async fn an_empty_member_beside_the_answer_counts_as_absent() {
    let accepted = json!({ "action": "accept", "content": { "dish": "soup" } });
    let refused = json!({ "code": -1, "message": "no" });
    for (result, error, said) in
        [(&accepted, &Value::Null, "soup"), (&Value::Null, &refused, "the client refused: no (code -1)")]
    {
        let mut wire = Wire::open().await;
        wire.call(1).await;
        wire.send(json!({ "jsonrpc": "2.0", "id": "s-1", "result": result, "error": error })).await;
        assert_eq!(text(&wire.receive().await), said);
    }
    let mut wire = Wire::open().await;
    wire.call(1).await;
    wire.send(json!({ "jsonrpc": "2.0", "id": "s-1", "result": accepted, "error": refused })).await;
    assert_eq!(wire.receive().await["error"]["code"], -32600, "which of them would be meant?");
}

#[tokio::test]
async fn sixteen_thousand_calls_of_a_session_may_wait_and_each_gets_its_answer() {
    const MOST: u64 = 64 * 1024 / 4;
    let mut wire = Wire::open().await;
    for id in 1..=MOST {
        assert_eq!(wire.call(id).await["method"], "elicitation/create", "{id}");
    }
    assert_eq!(wire.call(MOST + 1).await["error"]["code"], -32603);
    for id in 1..=MOST {
        wire.answer(&format!("s-{id}"), "soup").await;
        let reply = wire.receive().await;
        assert_eq!((&reply["id"], text(&reply)), (&json!(id), "soup"));
    }
}

#[tokio::test]
async fn bounds_the_bytes_of_waiting_calls_in_a_session() {
    let mut wire = Wire::open().await;
    let guest = "x".repeat(3 * 1024 * 1024);
    let call = |id: u64| {
        let params = json!({ "name": "order_for", "arguments": { "guest": guest } });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
    };
    // Each counts twice, so 64 MiB hold ten.
    for id in 1..=10 {
        wire.send(call(id)).await;
        assert_eq!(wire.receive().await["method"], "elicitation/create", "{id}");
    }
    wire.send(call(11)).await;
    let refused = wire.receive().await;
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(11), &json!(-32603)), "{refused}");
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("you have reached your limit of calls in flight"), "{message}");
    assert_eq!(wire.call(12).await["method"], "elicitation/create", "a small one has room");
    wire.answer("s-1", "soup").await;
    assert_eq!(text(&wire.receive().await), "3145728 bytes: soup");
    wire.send(call(11)).await;
    assert_eq!(wire.receive().await["method"], "elicitation/create", "its id was not used up");
}

#[tokio::test]
async fn an_answer_that_is_too_long_ends_its_question() {
    let mut wire = Wire::open().await;
    let asked = wire.call(1).await;
    assert_eq!(asked["method"], "elicitation/create");
    wire.answer(asked["id"].as_str().unwrap(), &"x".repeat(5 << 20)).await;
    let ended = wire.receive().await;
    assert_eq!((&ended["id"], &ended["result"]["isError"]), (&json!(1), &json!(true)), "{ended}");
    let text = ended["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("a message must have at most 4194304 bytes"), "{text}");
}
