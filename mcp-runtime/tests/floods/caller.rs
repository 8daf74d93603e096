//! A client of a server in memory, which calls tools as one owner.

use mcp_runtime::{MemoryClient, Service};
use serde_json::{Value, json};

pub(crate) struct Caller {
    client: MemoryClient,
    id: u32,
}

impl Caller {
    pub(crate) fn new(service: &Service, owner: &str) -> Self {
        Self { client: service.memory_as(owner), id: 0 }
    }

    /// Returns the whole response.
    pub(crate) async fn request(&mut self, method: &str, mut params: Value) -> Value {
        self.id += 1;
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": { "extensions": { "io.modelcontextprotocol/tasks": {} } },
        });
        let request = json!({ "jsonrpc": "2.0", "id": self.id, "method": method, "params": params });
        self.client.send(&request.to_string()).await;
        loop {
            let message: Value = serde_json::from_str(&self.client.receive().await.unwrap()).unwrap();
            if message["id"] == self.id {
                return message;
            }
        }
    }

    /// Calls a tool, and returns the whole response.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }
}
