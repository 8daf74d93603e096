//! A client of the newest revision that sends raw messages.

use std::{collections::HashMap, time::Duration};

use mcp_runtime::{MemoryClient, Service};
use serde_json::{Value, json};

pub(crate) struct Wire {
    memory: MemoryClient,
    pub(crate) capabilities: Value,
    last_id: u64,
    /// Responses that arrived before the test waited for them.
    early: HashMap<u64, Value>,
}

impl Wire {
    pub(crate) fn new(service: &Service) -> Self {
        Self::of(service.memory())
    }

    pub(crate) fn of(memory: MemoryClient) -> Self {
        let capabilities = json!({ "elicitation": {} });
        Self { memory, capabilities, last_id: 0, early: HashMap::new() }
    }

    /// Calls a tool with additional members of `params`. Returns the id of the request.
    pub(crate) async fn send(&mut self, tool: &str, more: &Value) -> u64 {
        self.last_id += 1;
        self.memory.send(&request(self.last_id, tool, &self.capabilities, more)).await;
        self.last_id
    }

    /// Returns the response to a request, without its id.
    pub(crate) async fn reply(&mut self, id: u64) -> Value {
        while !self.early.contains_key(&id) {
            let message = tokio::time::timeout(Duration::from_secs(40), self.memory.receive()).await;
            let mut message: Value = serde_json::from_str(&message.expect("no response").unwrap()).unwrap();
            let answered = message["id"].take().as_u64().unwrap();
            self.early.insert(answered, message);
        }
        self.early.remove(&id).unwrap()
    }

    pub(crate) async fn cancel(&mut self, id: u64) {
        let params = json!({ "requestId": id });
        let notification = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        self.memory.send(&notification.to_string()).await;
    }
}

/// Returns the request that calls a tool.
pub(crate) fn request(id: u64, tool: &str, capabilities: &Value, more: &Value) -> String {
    let mut params = json!({ "name": tool, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    }});
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
}

pub(crate) fn seat(seat: &str) -> Value {
    json!({ "seat": { "action": "accept", "content": { "seat": seat } } })
}

pub(crate) fn sure(sure: bool) -> Value {
    json!({ "sure": { "action": "accept", "content": { "sure": sure } } })
}

/// Returns the keys that a response asks for.
#[track_caller]
pub(crate) fn asked(response: &Value) -> Vec<&str> {
    let questions = response["result"]["inputRequests"].as_object();
    questions.unwrap_or_else(|| panic!("asks nothing: {response}")).keys().map(String::as_str).collect()
}

#[track_caller]
pub(crate) fn state(response: &Value) -> Value {
    let state = &response["result"]["requestState"];
    assert!(state.is_string(), "no state: {response}");
    state.clone()
}

#[track_caller]
pub(crate) fn text(response: &Value) -> &str {
    response["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {response}"))
}

/// Returns the code and the message of an error.
#[track_caller]
pub(crate) fn error(response: &Value) -> (i64, &str) {
    let code = response["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {response}"));
    (code, response["error"]["message"].as_str().unwrap())
}

#[track_caller]
pub(crate) fn is_refused_for_now(response: &Value) {
    let (code, message) = error(response);
    assert!(code == -32603 && message.contains("send the same request again"), "{response}");
}
