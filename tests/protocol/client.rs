//! A strict client. It sends the messages of a test, and rejects every message that breaks the [`Rules`].

use mcp_runtime::{Revision, Service};
use serde_json::{Map, Value, json};

use crate::protocol::{rules::Rules, schema, wire::Wire};

/// One client of one server.
pub(crate) struct Client {
    pub(crate) wire: Wire,
    /// The client's capabilities, which it declares in the handshake or in every request.
    pub(crate) capabilities: Value,
    revision: Revision,
    rules: Rules,
    last_id: i64,
    notifications: Vec<Value>,
}

impl Client {
    /// Creates a client before its first message.
    pub(crate) fn new(wire: Wire, revision: Revision) -> Self {
        let rules = Rules::new(revision);
        Self { wire, capabilities: json!({}), revision, rules, last_id: 0, notifications: Vec::new() }
    }

    /// Creates a client in memory before its first message.
    pub(crate) fn silent(service: &Service, revision: Revision) -> Self {
        Self::new(Wire::memory(service), revision)
    }

    /// Creates a client in memory that is ready to call tools.
    pub(crate) async fn open(service: &Service, revision: Revision) -> Self {
        Self::silent(service, revision).ready().await
    }

    /// Performs the handshake, if the revision has one.
    pub(crate) async fn ready(mut self) -> Self {
        if !self.revision.is_modern() {
            let answer = self.initialize().await;
            assert_eq!(answer["protocolVersion"], self.revision.as_str());
            self.notify("notifications/initialized", json!({})).await;
        }
        self
    }

    /// Sends `initialize` and returns the result.
    pub(crate) async fn initialize(&mut self) -> Value {
        let params = json!({
            "protocolVersion": self.revision.as_str(),
            "capabilities": self.capabilities,
            "clientInfo": { "name": "strict", "version": "1" },
        });
        self.result("initialize", params).await
    }

    /// Sends a request of this client's revision and returns the id of the request.
    pub(crate) async fn begin(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let id = json!(self.last_id);
        let request = self.message(&id, method, params);
        // What a test sends by name is right; what is wrong it sends as text.
        if let Some(kind) = kind_of_request(method).filter(|kind| schema::of(self.revision).has(kind)) {
            schema::of(self.revision).check(kind, &request);
        }
        self.send(&request.to_string()).await;
        id
    }

    /// Begins a call of a tool with these members of `_meta`, and returns the id of the request.
    pub(crate) async fn begin_call(&mut self, tool: &str, arguments: Value, meta: Value) -> Value {
        self.begin("tools/call", json!({ "name": tool, "arguments": arguments, "_meta": meta })).await
    }

    /// Sends a request and returns the whole response.
    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params).await;
        self.response(&id).await
    }

    /// Sends a request that must succeed, and returns the result.
    pub(crate) async fn result(&mut self, method: &str, params: Value) -> Value {
        let mut response = self.request(method, params).await;
        assert!(response.get("result").is_some(), "`{method}` failed: {response}");
        response["result"].take()
    }

    /// Sends a request that must fail, and returns the error.
    pub(crate) async fn error(&mut self, method: &str, params: Value) -> Value {
        let mut response = self.request(method, params).await;
        assert!(response.get("error").is_some(), "`{method}` succeeded: {response}");
        response["error"].take()
    }

    /// Calls a tool and returns the result.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.result("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// Calls a tool whose result must be an error, and returns the text of the result.
    pub(crate) async fn failed_call(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()).await;
    }

    /// Cancels a request. From then on, the client accepts no message about it.
    pub(crate) async fn cancel(&mut self, id: &Value) {
        self.notify("notifications/cancelled", json!({ "requestId": id, "reason": "the user lost interest" })).await;
        self.forget(id);
    }

    /// Forgets a request that has ended without a response. From then on, the client accepts no message about it.
    pub(crate) fn forget(&mut self, id: &Value) {
        self.rules.cancelled(id);
    }

    /// Builds a request of this client's revision.
    pub(crate) fn message(&self, id: &Value, method: &str, params: Value) -> Value {
        let params = if self.revision.is_modern() { modern(params, &self.capabilities) } else { params };
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    }

    /// Sends a text without changes.
    pub(crate) async fn send(&mut self, text: &str) {
        if let Ok(message) = serde_json::from_str(text) {
            self.rules.sent(&message);
        }
        self.wire.send(text).await;
    }

    /// Expects an answer to the request `id`, which the test itself sends. `text` is the text of that request.
    pub(crate) fn expect(&mut self, id: &Value, text: &str) {
        let mut message: Value = serde_json::from_str(text).unwrap();
        message["id"] = id.clone();
        self.rules.sent(&message);
    }

    /// Sends `text`, which the server must reject, and returns the error.
    pub(crate) async fn refused(&mut self, text: &str) -> Value {
        self.send(text).await;
        let mut response = self.next_response().await;
        assert!(response.get("error").is_some(), "{text} is not refused: {response}");
        response["error"].take()
    }

    /// Returns the next message of any kind.
    pub(crate) async fn next(&mut self) -> Value {
        let text = self.wire.receive().await.expect("the server is there");
        self.rules.received(&text)
    }

    /// Returns the next response. Keeps the notifications before it.
    pub(crate) async fn next_response(&mut self) -> Value {
        loop {
            let message = self.next().await;
            if message.get("method").is_none() {
                return message;
            }
            self.notifications.push(message);
        }
    }

    /// Returns the next response, which must be the response to this request.
    pub(crate) async fn response(&mut self, id: &Value) -> Value {
        let response = self.next_response().await;
        assert_eq!(&response["id"], id, "the answer to another request: {response}");
        response
    }

    /// Takes the notifications that arrived before responses.
    pub(crate) fn notifications(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.notifications)
    }

    /// Takes the `params` of those notifications, which must all have this method.
    pub(crate) fn told(&mut self, method: &str) -> Vec<Value> {
        let take = |mut message: Value| {
            assert_eq!(message["method"], method);
            message["params"].take()
        };
        self.notifications().into_iter().map(take).collect()
    }

    /// Asserts that the connection works and nothing else was sent.
    pub(crate) async fn works(&mut self) {
        let before = self.notifications.len();
        let result = self.result("tools/list", json!({})).await;
        assert!(!result["tools"].as_array().unwrap().is_empty());
        assert_eq!(self.notifications.len(), before, "{:?}", self.notifications);
        self.rules.nothing_is_open();
    }

    /// Closes the connection and returns the remaining messages. Every request must be answered.
    pub(crate) async fn close(mut self) -> Vec<Value> {
        let texts = self.wire.close().await;
        let messages = texts.iter().map(|text| self.rules.received(text)).collect();
        self.rules.nothing_is_open();
        messages
    }
}

/// Adds to `params` the members that every request since 2026-07-28 has.
pub(crate) fn modern(mut params: Value, capabilities: &Value) -> Value {
    let meta = params.as_object_mut().unwrap().entry("_meta").or_insert_with(|| Map::new().into());
    meta["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
    meta["io.modelcontextprotocol/clientCapabilities"] = capabilities.clone();
    params
}

fn kind_of_request(method: &str) -> Option<&'static str> {
    Some(match method {
        "initialize" => "InitializeRequest",
        "ping" => "PingRequest",
        "logging/setLevel" => "SetLevelRequest",
        "tools/list" => "ListToolsRequest",
        "tools/call" => "CallToolRequest",
        "server/discover" => "DiscoverRequest",
        "prompts/list" => "ListPromptsRequest",
        "prompts/get" => "GetPromptRequest",
        "completion/complete" => "CompleteRequest",
        "resources/list" => "ListResourcesRequest",
        "resources/templates/list" => "ListResourceTemplatesRequest",
        "resources/read" => "ReadResourceRequest",
        "resources/subscribe" => "SubscribeRequest",
        "resources/unsubscribe" => "UnsubscribeRequest",
        "subscriptions/listen" => "SubscriptionsListenRequest",
        _ => return None,
    })
}
