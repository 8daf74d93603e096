//! A mock server with configured answers, and its received requests.

use mcp_runtime::{
    Content,
    providers::Model,
    sample::{
        Messages, ProviderError, Sampled, SamplingContent, SamplingProvider, SamplingRequest, SamplingTool, ToolUse,
    },
};
use serde_json::{Map, Value, json};
use wiremock::{Mock, MockServer, Request, ResponseTemplate, matchers::any};

pub(crate) const KEY: &str = "sk-test-0123456789abcdef";

/// Starts a server that answers every request with `answer`.
pub(crate) async fn server(answer: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(answer).mount(&server).await;
    server
}

/// Starts a server that answers the first request with `first`, and later requests with `then`.
pub(crate) async fn server_then(first: ResponseTemplate, then: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(first).up_to_n_times(1).with_priority(1).mount(&server).await;
    Mock::given(any()).respond_with(then).mount(&server).await;
    server
}

pub(crate) fn ok(body: Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(body)
}

pub(crate) fn status(status: u16, body: Value) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_json(body)
}

pub(crate) fn openai(server: &MockServer) -> Model {
    Model::openai("gpt-x").api_key(KEY).url(&format!("{}/v1", server.uri()))
}

pub(crate) fn compatible(server: &MockServer) -> Model {
    Model::openai_compatible(&format!("{}/v1", server.uri()), "small")
}

pub(crate) fn anthropic(server: &MockServer) -> Model {
    Model::anthropic("claude-x").api_key(KEY).url(&server.uri())
}

pub(crate) fn ollama(server: &MockServer) -> Model {
    Model::ollama("llama").url(&server.uri())
}

/// Returns the received requests, in order.
pub(crate) async fn requests(server: &MockServer) -> Vec<Request> {
    server.received_requests().await.expect("they are recorded")
}

/// Returns the body of the last request.
pub(crate) async fn asked(server: &MockServer) -> Value {
    requests(server).await.last().expect("a request came").body_json().expect("JSON")
}

pub(crate) async fn sample(model: &Model, request: &SamplingRequest) -> Result<Sampled, ProviderError> {
    model.sample(request).await
}

/// Sends a request that must fail, and returns the text of the error.
pub(crate) async fn failed(model: &Model) -> String {
    let text = sample(model, &SamplingRequest::new("hi", 9)).await.expect_err("it fails").to_string();
    assert!(!text.contains(KEY) && !text.contains(&KEY[..8]), "{text}");
    text
}

/// Returns a response in the format of OpenAI.
pub(crate) fn completion(message: Value, finish_reason: &str) -> Value {
    let mut body = json!({
        "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
        "object": "chat.completion",
        "created": 1741569952,
        "model": "gpt-x-2026-01-01",
        "choices": [{ "index": 0, "message": null, "logprobs": null, "finish_reason": finish_reason }],
        "usage": {
            "prompt_tokens": 19, "completion_tokens": 10, "total_tokens": 29,
            "prompt_tokens_details": { "cached_tokens": 0, "audio_tokens": 0 },
        },
        "service_tier": "default",
        "system_fingerprint": null,
    });
    body["choices"][0]["message"] = message;
    body
}

pub(crate) fn said(text: &str) -> Value {
    completion(json!({ "role": "assistant", "content": text, "refusal": null, "annotations": [] }), "stop")
}

/// Returns a response in the format of Anthropic.
pub(crate) fn message(content: Value, stop_reason: &str) -> Value {
    let mut body = json!({
        "id": "msg_01XFDUDYJgAACzvnptvVoYEL",
        "type": "message",
        "role": "assistant",
        "model": "claude-x-20260101",
        "stop_reason": stop_reason,
        "stop_sequence": null,
        "usage": {
            "input_tokens": 5, "cache_creation_input_tokens": 3, "cache_read_input_tokens": 4, "output_tokens": 6,
        },
    });
    body["content"] = content;
    body
}

/// Returns a response in the format of Ollama.
pub(crate) fn chat(message: Value, done_reason: &str) -> Value {
    let mut body = json!({
        "model": "llama",
        "created_at": "2026-01-12T14:13:43.416799Z",
        "done": true,
        "done_reason": done_reason,
        "total_duration": 5191566416_u64,
        "prompt_eval_count": 26,
        "eval_count": 7,
    });
    body["message"] = message;
    body
}

/// Returns a tool. Each of its parameters is a string.
pub(crate) fn tool(name: &str, parameters: &[&str]) -> SamplingTool {
    let properties: Map<_, _> = parameters.iter().map(|it| ((*it).to_owned(), json!({ "type": "string" }))).collect();
    SamplingTool::new(name, format!("Does {name}."))
        .input_schema(json!({ "type": "object", "properties": properties, "required": parameters }))
}

/// Returns a conversation with a question, two tool calls, their results, and another question.
pub(crate) fn long_conversation() -> SamplingRequest {
    let input = |city: &str| Map::from_iter([("city".to_owned(), json!(city))]);
    let calls =
        [ToolUse::new("t1", "get.weather", input("Oslo")), ToolUse::new("t2", "get.weather", input("Atlantis"))];
    let parts = std::iter::once(SamplingContent::Text("I look.".to_owned()));
    let parts = parts.chain(calls.iter().cloned().map(SamplingContent::ToolUse)).collect();
    let reply = Sampled::new(parts, "m");
    let results = [
        calls[0].result(vec![Content::text("4 C"), Content::image(b"\x89PNG", "image/png")]),
        calls[1].error("there is no such city"),
    ];
    let messages = Messages::new().user("How is the weather?").answered(&reply, results).expect("they fit");
    let mut request = SamplingRequest::new(messages.user("And now?"), 50);
    request.tools = vec![tool("get.weather", &["city"])];
    request
}
