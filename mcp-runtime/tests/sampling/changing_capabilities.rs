//! If the capabilities of a client change between rounds, each question uses the capabilities of the current request.

use mcp_runtime::MemoryClient;
use serde_json::{Value, json};

use super::{model::Say, *};

/// Asks a model twice.
#[mcp_tool(replayable)]
async fn twice(ctx: &Ctx) -> Result<String> {
    let first: Move = ctx.sample_schema("First?").await?.parsed;
    let second: Move = ctx.sample_schema("Second?").await?.parsed;
    Ok(format!("{} {}", first.cell, second.cell))
}

/// A client that declares its capabilities anew in each request.
struct Wire(MemoryClient);

impl Wire {
    async fn call(&mut self, sampling: Option<Value>, more: Value) -> Value {
        let capabilities = sampling.map_or_else(|| json!({}), |sampling| json!({ "sampling": sampling }));
        let mut params = json!({ "name": "twice", "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        }});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        self.0.send(&request.to_string()).await;
        serde_json::from_str(&self.0.receive().await.unwrap()).unwrap()
    }
}

fn wire(model: Option<&Model>) -> Wire {
    Wire(service(tools![twice], model).memory())
}

fn with_tools() -> Option<Value> {
    Some(json!({ "tools": {} }))
}

fn without_tools() -> Option<Value> {
    Some(json!({}))
}

/// Returns an answer to the question, as text.
fn answer(asked: &Value, key: &str) -> Value {
    let text = json!({ "type": "text", "text": r#"{"cell":4}"# });
    let reply = json!({ "role": "assistant", "model": "m", "content": text });
    json!({ "requestState": asked["result"]["requestState"], "inputResponses": { key: reply } })
}

fn question<'a>(asked: &'a Value, key: &str) -> &'a Value {
    &asked["result"]["inputRequests"][key]["params"]
}

#[tokio::test]
async fn asks_by_the_capabilities_of_the_current_request() {
    for (before, had_tools) in [(with_tools(), true), (without_tools(), false)] {
        let mut wire = wire(None);
        let first = wire.call(before, json!({})).await;
        assert_eq!(question(&first, "sample").get("tools").is_some(), had_tools);
        let second = wire.call(with_tools(), answer(&first, "sample")).await;
        assert!(question(&second, "sample#2").get("tools").is_some(), "{second}");
        let last = wire.call(with_tools(), answer(&second, "sample#2")).await;
        assert_eq!(last["result"]["content"][0]["text"], "4 4");
    }
}

/// The call is not lost. A client with the capability can continue it.
#[tokio::test]
async fn names_a_capability_that_the_client_no_longer_declares() {
    let model = Model::new(Default::default(), [Say::Value(json!({ "cell": 7 }))]);
    for model in [None, Some(&model)] {
        let mut wire = wire(model);
        let first = wire.call(with_tools(), json!({})).await;
        for now in [None, without_tools()] {
            let gone = wire.call(now, answer(&first, "sample")).await;
            assert_eq!(gone["error"]["code"], -32021, "{gone}");
            assert_eq!(gone["error"]["data"]["requiredCapabilities"], json!({ "sampling": { "tools": {} } }));
        }
        let second = wire.call(with_tools(), answer(&first, "sample")).await;
        assert!(question(&second, "sample#2").is_object(), "{second}");
    }
}

/// A repeated question uses the current capabilities.
#[tokio::test]
async fn does_not_repeat_a_question_that_the_client_cannot_answer() {
    let mut wire = wire(None);
    let first = wire.call(with_tools(), json!({})).await;
    let silent = |asked: &Value| json!({ "requestState": asked["result"]["requestState"], "inputResponses": {} });
    let gone = wire.call(None, silent(&first)).await;
    assert_eq!(gone["error"]["code"], -32021, "{gone}");
    let again = wire.call(with_tools(), silent(&first)).await;
    assert!(question(&again, "sample").get("tools").is_some(), "{again}");
    let second = wire.call(with_tools(), answer(&again, "sample")).await;
    assert!(question(&second, "sample#2").is_object(), "{second}");
}
