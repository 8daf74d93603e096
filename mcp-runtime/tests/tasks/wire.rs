//! A client of the tasks extension, as bytes on the wire.

use std::time::Duration;

use mcp_runtime::{MemoryClient, Service};
use serde_json::{Value, json};

pub(crate) const TASKS: &str = "io.modelcontextprotocol/tasks";

pub(crate) struct Wire {
    client: MemoryClient,
    capabilities: Value,
    id: u32,
}

impl Wire {
    pub(crate) fn new(service: &Service) -> Self {
        let capabilities = json!({ "elicitation": {}, "extensions": { TASKS: {} } });
        Self { client: service.memory(), capabilities, id: 0 }
    }

    /// A client that does not know tasks.
    pub(crate) fn without_tasks(service: &Service) -> Self {
        Self { capabilities: json!({ "elicitation": {} }), ..Self::new(service) }
    }

    /// Returns the whole response.
    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params).await;
        loop {
            let message = self.receive().await;
            if message["id"] == id {
                return message;
            }
        }
    }

    pub(crate) async fn receive(&mut self) -> Value {
        serde_json::from_str(&self.client.receive().await.unwrap()).unwrap()
    }

    /// Sends a request and returns its id.
    pub(crate) async fn send(&mut self, method: &str, mut params: Value) -> u32 {
        self.id += 1;
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
        });
        let request = json!({ "jsonrpc": "2.0", "id": self.id, "method": method, "params": params });
        self.client.send(&request.to_string()).await;
        self.id
    }

    pub(crate) async fn result(&mut self, method: &str, params: Value) -> Value {
        let response = self.request(method, params).await;
        assert!(response.get("error").is_none(), "{response}");
        response["result"].clone()
    }

    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.result("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    pub(crate) async fn task(&mut self, id: &Value) -> Value {
        self.result("tasks/get", json!({ "taskId": id })).await
    }

    /// Returns the task as soon as it asks a question with a key that is not in `seen`.
    pub(crate) async fn asks_anew(&mut self, id: &Value, seen: &[String]) -> Value {
        self.until(id, |task| {
            task["inputRequests"].as_object().is_some_and(|open| open.keys().any(|key| !seen.contains(key)))
        })
        .await
    }

    /// Asks for the task until it has this status.
    pub(crate) async fn reaches(&mut self, id: &Value, status: &str) -> Value {
        self.until(id, |task| task["status"] == status).await
    }

    async fn until(&mut self, id: &Value, reached: impl Fn(&Value) -> bool) -> Value {
        let mut task = Value::Null;
        for _ in 0..500 {
            task = self.task(id).await;
            if reached(&task) {
                return task;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the task does not change as expected: {task}");
    }
}
