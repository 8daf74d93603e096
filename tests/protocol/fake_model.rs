//! A model that plays tic-tac-toe by a rule, behind the API of OpenAI. Every program that is started with its variables
//! plays the same game.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    process::Command,
    thread,
};

use serde_json::{Value, json};

pub(crate) struct FakeModel(SocketAddr);

impl FakeModel {
    /// Starts the model. It runs as long as the tests.
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                thread::spawn(move || answer(stream));
            }
        });
        Self(address)
    }

    /// Makes a program use this model.
    pub(crate) fn set(&self, program: &mut Command) {
        program.env("MCP_MODEL", "compatible:rule").env("MCP_MODEL_URL", format!("http://{}/v1", self.0));
    }
}

/// Answers one request.
fn answer(mut stream: TcpStream) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap() == 0 {
            return;
        }
        match line.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.parse().unwrap(),
            None if line.trim_end().is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let request: Value = serde_json::from_slice(&body).unwrap();
    let reply = json!({ "model": "rule", "choices": [{ "message": message(&request), "finish_reason": "stop" }] });
    let reply = reply.to_string();
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n", reply.len());
    write!(stream, "{head}connection: close\r\n\r\n{reply}").unwrap();
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
