//! Calls that are cancelled while they wait for an answer.

use mcp_runtime::{MemoryClient, Result, Service, prelude::*};
use serde_json::{Value, json};

use crate::{floods::memory::Idle, support::own_process::in_own_process};

#[elicits]
enum Wish {
    Sit { seat: String },
}

/// Asks for a seat, and then works until it is cancelled.
#[mcp_tool]
async fn sit(ctx: &Ctx<Wish>, note: String) -> Result<String> {
    let Sit { seat } = ctx.elicit::<Sit>("Which seat?").strict().await?;
    if note.len() > 1 {
        ctx.log(Level::Info, "sat down");
        std::future::pending::<()>().await;
    }
    Ok(seat)
}

/// The size of the arguments.
const SIZE: usize = 100_000;
const CALLS: u32 = 500;

fn params(note: &str) -> Value {
    json!({ "name": "sit", "arguments": { "note": note } })
}

/// Returns the params of a request without a session, with these additional members.
fn modern(note: &str, more: &Value) -> Value {
    let mut params = params(note);
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        "io.modelcontextprotocol/logLevel": "info",
    });
    params
}

async fn send(client: &MemoryClient, id: Option<u32>, method: &str, params: Value) {
    let mut message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
    if let Some(id) = id {
        message["id"] = id.into();
    }
    client.send(&message.to_string()).await;
}

/// Returns the next message, except for those that withdraw the question of a cancelled call.
async fn receive(client: &mut MemoryClient) -> Value {
    loop {
        let message: Value = serde_json::from_str(&client.receive().await.unwrap()).unwrap();
        if message["method"] != "notifications/cancelled" {
            return message;
        }
    }
}

fn answer(asked: &Value) -> Value {
    let seat = json!({ "action": "accept", "content": { "seat": "12A" } });
    json!({ "requestState": asked["result"]["requestState"], "inputResponses": { "sit": seat } })
}

async fn cancel(client: &MemoryClient, id: u32) {
    send(client, None, "notifications/cancelled", json!({ "requestId": id })).await;
}

/// Cancels calls that wait in a session.
async fn flood_in_session(service: &Service, note: &str) {
    let mut eve = service.memory_as("eve");
    let info = json!({ "name": "c", "version": "1" });
    let begin = json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} }, "clientInfo": info });
    send(&eve, Some(0), "initialize", begin).await;
    receive(&mut eve).await;
    for id in 1..=CALLS {
        send(&eve, Some(id), "tools/call", params(note)).await;
        assert_eq!(receive(&mut eve).await["method"], "elicitation/create");
        cancel(&eve, id).await;
    }
}

/// Cancels calls in their second round.
async fn flood_with_rounds(service: &Service, note: &str) {
    let mut eve = service.memory_as("eve");
    for id in 1..=CALLS {
        send(&eve, Some(2 * id), "tools/call", modern(note, &json!({}))).await;
        let asked = receive(&mut eve).await;
        assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
        send(&eve, Some(2 * id + 1), "tools/call", modern(note, &answer(&asked))).await;
        assert_eq!(receive(&mut eve).await["method"], "notifications/message");
        cancel(&eve, 2 * id + 1).await;
        // The runtime drops the call.
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn cancelled_calls_take_no_room() {
    in_own_process!();
    let idle = Idle::measure();
    let service = Server::new("seats", "1").tools(tools![sit]).max_open_calls_per_client(4).build().unwrap();
    let mut ann = service.memory_as("ann");
    send(&ann, Some(1), "tools/call", modern("", &json!({}))).await;
    let asked = receive(&mut ann).await;

    let note = "x".repeat(SIZE);
    flood_in_session(&service, &note).await;
    flood_with_rounds(&service, &note).await;
    idle.assert_peak();
    assert!(idle.more() < 2_000_000, "{} bytes stay", idle.more());

    send(&ann, Some(2), "tools/call", modern("", &answer(&asked))).await;
    assert_eq!(receive(&mut ann).await["result"]["content"][0]["text"], "12A");
}
