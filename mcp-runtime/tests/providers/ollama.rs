//! Requests to Ollama.

use mcp_runtime::{
    Content,
    sample::{Messages, ResponseSchema, SamplingContent, SamplingRequest, StopReason, ToolChoice},
};
use serde_json::json;

use crate::providers::support::*;

fn words(text: &str) -> wiremock::ResponseTemplate {
    ok(chat(json!({ "role": "assistant", "content": text }), "stop"))
}

#[tokio::test]
async fn sends_a_text_as_one_message() {
    let server = server(words("Hello!")).await;
    let mut request = SamplingRequest::new("Hi", 100);
    request.system_prompt = Some("Be brief.".to_owned());
    request.temperature = Some(0.0);
    request.stop_sequences = vec!["END".to_owned()];
    let reply = sample(&ollama(&server), &request).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.model.as_str()), ("Hello!", "llama"));
    let sent = &requests(&server).await[0];
    assert_eq!(sent.url.path(), "/api/chat");
    assert!(!sent.headers.contains_key("authorization"));
    let body = json!({
        "model": "llama",
        "messages": [{ "role": "system", "content": "Be brief." }, { "role": "user", "content": "Hi" }],
        "stream": false,
        "options": { "num_predict": 100, "temperature": 0.0, "stop": ["END"] },
    });
    assert_eq!(asked(&server).await, body);
}

#[tokio::test]
async fn sends_images_next_to_the_text() {
    let server = server(words("A cat.")).await;
    let blocks = [Content::text("What is it?"), Content::image(b"\x89PNG", "image/png")];
    sample(&ollama(&server), &SamplingRequest::new(Messages::new().user(blocks), 9)).await.unwrap();
    let message = json!({ "role": "user", "content": "What is it?", "images": ["iVBORw=="] });
    assert_eq!(asked(&server).await["messages"], json!([message]));
}

#[tokio::test]
async fn sends_tool_calls_and_their_results() {
    let server = server(words("Still cold.")).await;
    sample(&ollama(&server), &long_conversation()).await.unwrap();
    let call = |id: &str, city: &str| json!({ "id": id, "function": { "name": "get_weather", "arguments": { "city": city } } });
    let result = |id: &str, text: &str| json!({ "role": "tool", "content": text, "tool_name": "get_weather", "tool_call_id": id });
    let messages = json!([
        { "role": "user", "content": "How is the weather?" },
        { "role": "assistant", "content": "I look.", "tool_calls": [call("t1", "Oslo"), call("t2", "Atlantis")] },
        result("t1", "4 C"),
        result("t2", "Error: there is no such city"),
        { "role": "user", "content": "", "images": ["iVBORw=="] },
        { "role": "user", "content": "And now?" },
    ]);
    assert_eq!(asked(&server).await["messages"], messages);
}

#[tokio::test]
async fn sends_a_schema_as_the_format() {
    let server = server(words(r#"{"cell":4}"#)).await;
    let mut request = SamplingRequest::new("Pick a cell", 9);
    let schema = json!({ "type": "object", "properties": { "cell": { "type": "integer", "maximum": 8 } } });
    request.schema = Some(ResponseSchema::new("Move", schema.clone()));
    sample(&ollama(&server), &request).await.unwrap();
    assert_eq!(asked(&server).await["format"], schema);
}

#[tokio::test]
async fn sends_tools_as_functions_if_calls_are_optional() {
    let server = server(words("No.")).await;
    for choice in [None, Some(ToolChoice::Auto)] {
        let mut request = SamplingRequest::new("Hi", 9);
        request.tools = vec![tool("search", &["to"])];
        request.tool_choice = choice;
        sample(&ollama(&server), &request).await.unwrap();
        let body = asked(&server).await;
        assert_eq!(body["tools"][0]["function"]["name"], "search");
        assert!(body.get("tool_choice").is_none() && body.get("format").is_none(), "{body}");
    }
}

#[tokio::test]
async fn omits_tools_that_must_not_be_called() {
    let server = server(words("No.")).await;
    let mut request = SamplingRequest::new("Hi", 9);
    request.tools = vec![tool("search", &["to"])];
    request.tool_choice = Some(ToolChoice::None);
    sample(&ollama(&server), &request).await.unwrap();
    let body = asked(&server).await;
    assert!(body.get("tools").is_none() && body.get("format").is_none(), "{body}");
    assert_eq!(body["messages"], json!([{ "role": "user", "content": "Hi" }]));
}

/// The API cannot force a tool call, so a schema forces the model to write one.
#[tokio::test]
async fn forces_a_call_by_schema() {
    let server = server(words(r#"{"name":"flights_search","arguments":{"to":"OSL"}}"#)).await;
    let mut request = SamplingRequest::new("Find a flight", 9);
    request.system_prompt = Some("Be brief.".to_owned());
    request.tools = vec![tool("flights.search", &["to"])];
    request.tool_choice = Some(ToolChoice::Required);
    let reply = sample(&ollama(&server), &request).await.unwrap();
    let call = reply.content[0].as_tool_use().unwrap();
    assert_eq!((call.name.as_str(), call.input["to"].as_str()), ("flights.search", Some("OSL")));
    assert_eq!(reply.stop_reason, Some(StopReason::ToolUse));
    let body = asked(&server).await;
    let way = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "enum": ["flights_search"] },
            "arguments": { "type": "object", "properties": { "to": { "type": "string" } }, "required": ["to"] },
        },
        "required": ["name", "arguments"],
        "additionalProperties": false,
    });
    assert_eq!(body["format"], json!({ "anyOf": [way] }));
    let system = body["messages"][0]["content"].as_str().unwrap();
    assert!(system.starts_with("Be brief.\n\nYou can call these tools:\n- flights_search: Does flights"), "{system}");
    assert!(body.get("tools").is_none());
}

/// The first request detects this. The next request describes the tools in another way.
#[tokio::test]
async fn uses_a_schema_for_a_model_without_tools() {
    let refusal = json!({ "error": "registry.ollama.ai/library/llama does not support tools" });
    let server = server_then(status(400, refusal), words(r#"{"reply":"I need none."}"#)).await;
    let model = ollama(&server);
    let mut request = SamplingRequest::new("Hi", 9);
    request.tools = vec![tool("search", &["to"])];
    let reply = sample(&model, &request).await.unwrap();
    assert_eq!(reply.content, [SamplingContent::Text("I need none.".to_owned())]);
    let body = asked(&server).await;
    assert_eq!(body["format"]["anyOf"][1]["properties"], json!({ "reply": { "type": "string" } }));
    assert!(!mcp_runtime::sample::SamplingProvider::abilities(&model).tools, "it is known from now on");
    assert_eq!(requests(&server).await.len(), 2);
}
