//! Cancelled calls, as their client and their quota see them.

#![allow(unused_imports, reason = "expansions import traits that only other crates need")]

use serde_json::{Value, json};

use crate::{MemoryClient, Result, Server, prelude::*};

#[elicits]
enum Wish {
    Sit { seat: String },
}

/// Asks for a seat.
#[mcp_tool]
async fn sit(ctx: &Ctx<Wish>) -> Result<String> {
    Ok(ctx.elicit::<Sit>("Which seat?").strict().await?.seat)
}

/// Asks for a seat, and can be rebuilt.
#[mcp_tool(replayable)]
async fn sit_again(ctx: &Ctx<Wish>) -> Result<String> {
    Ok(ctx.elicit::<Sit>("Which seat?").strict().await?.seat)
}

async fn call(client: &mut MemoryClient, tool: &str, more: &Value) -> Value {
    let mut params = json!({ "name": tool, "arguments": {}, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
    }});
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    client.send(&request.to_string()).await;
    serde_json::from_str(&client.receive().await.unwrap()).unwrap()
}

#[tokio::test]
async fn a_late_answer_to_a_cancelled_call_gets_an_error() {
    let service = Server::new("s", "1").tools(tools![sit, sit_again]).build().unwrap();
    let mut client = service.memory();
    for tool in ["sit", "sit_again"] {
        let asked = call(&mut client, tool, &json!({})).await;
        let state = asked["result"]["requestState"].as_str().unwrap();
        let registered = service.0.registry.find(tool).unwrap();
        // Another principal cannot cancel the call.
        for principal in [Some("eve"), None] {
            let durable = &service.0.durable;
            durable.cancel_waiting(&registered, "{}", principal, state).await;
            assert_eq!(durable.quotas().sweep(), principal.is_some(), "{tool}");
        }
        let seat = json!({ "action": "accept", "content": { "seat": "12A" } });
        let answer = json!({ "requestState": state, "inputResponses": { "sit": seat } });
        let late = call(&mut client, tool, &answer).await;
        assert!(late["error"]["message"].as_str().unwrap().contains("was cancelled"), "{late}");
    }
}
