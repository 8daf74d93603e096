//! A client of 2026-07-28 that sends raw messages.

use mcp_runtime::{MemoryClient, Revision, Service};
use serde_json::{Map, Value, json};

use crate::conformance::schema;

pub(super) struct Raw {
    memory: MemoryClient,
    last_id: i64,
}

impl Raw {
    pub(super) fn new(service: &Service) -> Self {
        Self { memory: service.memory(), last_id: 0 }
    }

    /// Calls a tool without arguments, with these additional members of `params`. Returns the response, which must be
    /// the next message.
    pub(super) async fn call(&mut self, tool: &str, beside: Value) -> Value {
        self.last_id += 1;
        let mut params = Map::from_iter([
            ("name".to_owned(), tool.into()),
            ("arguments".to_owned(), json!({})),
            (
                "_meta".to_owned(),
                json!({
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    // Those of the suite's client.
                    "io.modelcontextprotocol/clientCapabilities":
                        { "sampling": {}, "elicitation": {}, "roots": { "listChanged": true } },
                }),
            ),
        ]);
        let Value::Object(beside) = beside else { panic!("members, not {beside}") };
        params.extend(beside);
        let request = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": "tools/call", "params": params });
        self.memory.send(&request.to_string()).await;
        let response: Value = serde_json::from_str(&self.memory.receive().await.unwrap()).unwrap();
        assert_eq!(response["id"], self.last_id, "every error echoes its request, too: {response}");
        let schema = schema::of(Revision::V2026_07_28);
        if response.get("error").is_some() {
            schema.check_error(&response);
        } else {
            let asks = response["result"]["resultType"] == "input_required";
            schema.check_result(if asks { "InputRequiredResult" } else { "CallToolResult" }, &response);
        }
        response
    }

    /// Calls a tool that must ask only this question. Returns the question's `params` and the state.
    pub(super) async fn asks(&mut self, tool: &str, beside: Value, key: &str) -> (Value, String) {
        let response = self.call(tool, beside).await;
        let result = &response["result"];
        assert_eq!(result["resultType"], "input_required", "{response}");
        let questions = result["inputRequests"].as_object().unwrap();
        assert_eq!(questions.keys().collect::<Vec<_>>(), [key]);
        let state = result["requestState"].as_str().unwrap();
        assert!(!state.is_empty());
        (questions[key]["params"].clone(), state.to_owned())
    }

    /// Calls a tool that must end with a text, and returns it.
    pub(super) async fn tells(&mut self, tool: &str, beside: Value) -> String {
        let response = self.call(tool, beside).await;
        let result = &response["result"];
        assert_eq!((&result["resultType"], result.get("isError")), (&json!("complete"), None), "{response}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Calls a tool that must fail with a protocol error, and returns its code.
    pub(super) async fn fails(&mut self, tool: &str, beside: Value) -> i64 {
        let response = self.call(tool, beside).await;
        response["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {response}"))
    }
}
