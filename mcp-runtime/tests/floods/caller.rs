//! A client of a server in memory, which calls tools as one owner.

use mcp_runtime::{MemoryClient, Service};
use serde_json::{Value, json};

pub(crate) struct Caller {
    client: MemoryClient,
    capabilities: Value,
    id: u32,
}

impl Caller {
    pub(crate) fn new(service: &Service, owner: &str) -> Self {
        Self { client: service.memory_as(owner), capabilities: json!({}), id: 0 }
    }

    /// A client that knows tasks.
    pub(crate) fn with_tasks(service: &Service, owner: &str) -> Self {
        let capabilities = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
        Self { capabilities, ..Self::new(service, owner) }
    }

    /// Returns the whole response.
    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Value {
        serde_json::from_str(&self.request_text(method, &params.to_string()).await).unwrap()
    }

    /// Calls a tool, and returns the whole response.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// Sends params that are the text of a JSON object, and returns the whole response as text. A test that sends many
    /// large texts uses this function, because reading and writing JSON takes long without optimization.
    pub(crate) async fn request_text(&mut self, method: &str, params: &str) -> String {
        let id = self.send_text(method, params).await;
        loop {
            let message = self.receive().await;
            if message.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"#)) {
                return message;
            }
        }
    }

    /// Sends a request whose response is not read.
    pub(crate) async fn send(&mut self, method: &str, params: Value) {
        self.send_text(method, &params.to_string()).await;
    }

    /// Returns the next message of the server.
    pub(crate) async fn receive(&mut self) -> String {
        self.client.receive().await.unwrap()
    }

    /// Sends a request, and returns its id.
    async fn send_text(&mut self, method: &str, params: &str) -> u32 {
        self.id += 1;
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
        });
        let (id, members) = (self.id, params.strip_prefix('{').unwrap());
        let request =
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"_meta":{meta},{members}}}"#);
        self.client.send(&request).await;
        id
    }
}
