//! A model that plays tic-tac-toe by a rule, behind the API of OpenAI. Every program that is started with its variables
//! plays the same game.

use std::{net::SocketAddr, process::Command};

use serde_json::{Value, json};

use crate::mock_service::{self, ServiceRequest};

pub(crate) struct FakeModel(SocketAddr);

impl FakeModel {
    /// Starts the model. It runs as long as the tests.
    pub(crate) fn start() -> Self {
        Self(mock_service::start(answer))
    }

    /// Makes a program use this model.
    pub(crate) fn set(&self, program: &mut Command) {
        program.env("MCP_MODEL", "compatible:rule").env("MCP_MODEL_URL", format!("http://{}/v1", self.0));
    }
}

fn answer(request: &ServiceRequest) -> (&'static str, Option<Value>) {
    let request = serde_json::from_slice(&request.body).unwrap();
    let choice = json!({ "message": message(&request), "finish_reason": "stop" });
    ("200 OK", Some(json!({ "model": "rule", "choices": [choice] })))
}

/// Returns the reply: a plan, or the first good cell.
fn message(request: &Value) -> Value {
    if let Some(tools) = request["tools"].as_array() {
        // The plan without arguments.
        let plan = tools.iter().map(|tool| &tool["function"]).find(|tool| tool["parameters"].get("required").is_none());
        let call = json!({ "name": plan.unwrap()["name"], "arguments": "{}" });
        return json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": "1", "type": "function", "function": call }] });
    }
    let prompt = request["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
    let free = prompt.rsplit("free cells:").next().unwrap();
    let free: Vec<u32> = free.split(|char: char| !char.is_ascii_digit()).filter_map(|cell| cell.parse().ok()).collect();
    let cell = [5, 1, 3, 7, 9].into_iter().find(|cell| free.contains(cell)).unwrap_or(free[0]);
    json!({ "role": "assistant", "content": json!({ "cell": cell }).to_string() })
}
