//! Quirks of a model are learned from its first rejection.

use mcp_runtime::sample::{SamplingRequest, ToolChoice};
use serde_json::json;

use crate::providers::support::*;

#[tokio::test]
async fn omits_a_rejected_temperature() {
    let refusal = json!({ "error": {
        "message": "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
        "type": "invalid_request_error", "param": "temperature", "code": "unsupported_value",
    } });
    let server = server_then(status(400, refusal), ok(said("Hello!"))).await;
    let model = openai(&server);
    let mut request = SamplingRequest::new("Hi", 9);
    request.temperature = Some(0.2);
    for _ in 0..2 {
        assert_eq!(sample(&model, &request).await.unwrap().text, "Hello!");
    }
    let sent = requests(&server).await;
    let has_temperature: Vec<_> = sent
        .iter()
        .map(|request| request.body_json::<serde_json::Value>().unwrap().get("temperature").is_some())
        .collect();
    assert_eq!(has_temperature, [true, false, false]);
}

#[tokio::test]
async fn disables_thinking_for_a_forced_call() {
    let refusal = json!({ "type": "error", "error": {
        "type": "invalid_request_error", "message": "Thinking may not be enabled when tool_choice forces tool use.",
    } });
    let called = message(json!([{ "type": "tool_use", "id": "x", "name": "a", "input": {} }]), "tool_use");
    let server = server_then(status(400, refusal), ok(called)).await;
    let model = anthropic(&server);
    let mut request = SamplingRequest::new("Hi", 9);
    request.tools = vec![tool("a", &[])];
    request.tool_choice = Some(ToolChoice::Required);
    sample(&model, &request).await.unwrap();
    assert_eq!(asked(&server).await["thinking"], json!({ "type": "disabled" }));
    request.tool_choice = Some(ToolChoice::Auto);
    sample(&model, &request).await.unwrap();
    assert!(asked(&server).await.get("thinking").is_none());
    assert_eq!(requests(&server).await.len(), 3);
}

#[tokio::test]
async fn does_not_retry_a_rejection_without_a_known_quirk() {
    let refusal = json!({ "error": { "message": "temperature: thinking, tool_choice, does not support tools" } });
    for temperature in [None, Some(0.5)] {
        let mut request = SamplingRequest::new("Hi", 9);
        request.temperature = temperature;
        request.tools = vec![tool("a", &[])];
        request.tool_choice = Some(ToolChoice::Required);
        let server = server(status(400, refusal.clone())).await;
        for model in [openai(&server), anthropic(&server), ollama(&server)] {
            sample(&model, &request).await.unwrap_err();
        }
        assert!(requests(&server).await.len() <= 9);
    }
}
