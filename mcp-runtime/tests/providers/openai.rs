//! Requests to OpenAI and compatible servers.

use mcp_runtime::{
    Content,
    sample::{Messages, ResponseSchema, SamplingProvider, SamplingRequest, ToolChoice},
};
use serde_json::json;

use crate::providers::support::*;

#[tokio::test]
async fn sends_a_text_as_one_message() {
    let server = server(ok(said("Hello!"))).await;
    let reply = sample(&openai(&server), &SamplingRequest::new("Hi", 100)).await.unwrap();
    assert_eq!(reply.text, "Hello!");
    assert_eq!(reply.model, "gpt-x-2026-01-01");
    let request = &requests(&server).await[0];
    assert_eq!((request.method.as_str(), request.url.path()), ("POST", "/v1/chat/completions"));
    assert_eq!(request.headers["authorization"], format!("Bearer {KEY}").as_str());
    assert_eq!(request.headers["content-type"], "application/json");
    let body = json!({
        "model": "gpt-x",
        "messages": [{ "role": "user", "content": "Hi" }],
        "max_completion_tokens": 100,
    });
    assert_eq!(asked(&server).await, body);
}

#[tokio::test]
async fn sends_older_field_names_and_no_key_to_a_compatible_server() {
    let server = server(ok(said("Hello!"))).await;
    let mut request = SamplingRequest::new("Hi", 100);
    request.system_prompt = Some("Be brief.".to_owned());
    request.temperature = Some(1.5);
    request.stop_sequences = vec!["END".to_owned(), "\n\n".to_owned()];
    sample(&compatible(&server), &request).await.unwrap();
    let body = json!({
        "model": "small",
        "messages": [{ "role": "system", "content": "Be brief." }, { "role": "user", "content": "Hi" }],
        "max_tokens": 100,
        "temperature": 1.5,
        "stop": ["END", "\n\n"],
    });
    assert_eq!(asked(&server).await, body);
    assert!(!requests(&server).await[0].headers.contains_key("authorization"));
    sample(&compatible(&server).api_key(KEY), &request).await.unwrap();
    assert_eq!(requests(&server).await[1].headers["authorization"], format!("Bearer {KEY}").as_str());
}

#[tokio::test]
async fn sends_images_and_audio_as_blocks() {
    let server = server(ok(said("A cat."))).await;
    let blocks =
        [Content::text("What is it?"), Content::image(b"\x89PNG", "image/png"), Content::audio(b"RIFF", "audio/wav")];
    sample(&openai(&server), &SamplingRequest::new(Messages::new().user(blocks), 9)).await.unwrap();
    let content = json!([
        { "type": "text", "text": "What is it?" },
        { "type": "image_url", "image_url": { "url": "data:image/png;base64,iVBORw==" } },
        { "type": "input_audio", "input_audio": { "data": "UklGRg==", "format": "wav" } },
    ]);
    assert_eq!(asked(&server).await["messages"], json!([{ "role": "user", "content": content }]));
}

#[tokio::test]
async fn rejects_unsupported_content_before_the_request() {
    let server = server(ok(said(""))).await;
    let request = SamplingRequest::new(Messages::new().user([Content::audio(b"Ogg", "audio/ogg")]), 9);
    let error = sample(&compatible(&server), &request).await.unwrap_err().to_string();
    assert!(error.ends_with("it does not accept sounds of the type `audio/ogg`"), "{error}");
    assert!(requests(&server).await.is_empty());
}

#[tokio::test]
async fn sends_tool_calls_and_their_results() {
    let server = server(ok(said("Still cold."))).await;
    sample(&openai(&server), &long_conversation()).await.unwrap();
    let call = |id: &str, arguments: &str| json!({ "id": id, "type": "function", "function": { "name": "get_weather", "arguments": arguments } });
    let messages = json!([
        { "role": "user", "content": "How is the weather?" },
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [call("t1", r#"{"city":"Oslo"}"#), call("t2", r#"{"city":"Atlantis"}"#)],
        },
        { "role": "tool", "tool_call_id": "t1", "content": "4 C" },
        { "role": "tool", "tool_call_id": "t2", "content": "Error: there is no such city" },
        {
            "role": "user",
            "content": [{ "type": "image_url", "image_url": { "url": "data:image/png;base64,iVBORw==" } }],
        },
        { "role": "user", "content": "And now?" },
    ]);
    assert_eq!(asked(&server).await["messages"], messages);
}

#[tokio::test]
async fn sends_tools_as_functions_with_the_choice() {
    let server = server(ok(said("No."))).await;
    for (choice, word) in [
        (None, json!(null)),
        (Some(ToolChoice::Auto), json!("auto")),
        (Some(ToolChoice::Required), json!("required")),
        (Some(ToolChoice::None), json!("none")),
    ] {
        let mut request = SamplingRequest::new("Hi", 9);
        request.tools = vec![tool("flights.search", &["to"])];
        request.tool_choice = choice;
        sample(&openai(&server), &request).await.unwrap();
        let body = asked(&server).await;
        let parameters = json!({ "type": "object", "properties": { "to": { "type": "string" } }, "required": ["to"] });
        let function =
            json!({ "name": "flights_search", "description": "Does flights.search.", "parameters": parameters });
        assert_eq!(body["tools"], json!([{ "type": "function", "function": function }]));
        assert_eq!(body["tool_choice"], word);
    }
}

#[tokio::test]
async fn sends_a_schema_as_the_response_format() {
    let server = server(ok(said(r#"{"cell":4}"#))).await;
    let mut request = SamplingRequest::new("Pick a cell", 9);
    let schema = json!({ "type": "object", "properties": { "cell": { "type": "integer", "format": "uint8" } } });
    request.schema = Some(ResponseSchema::new("Move", schema));
    let reply = sample(&openai(&server), &request).await.unwrap();
    assert_eq!(reply.text, r#"{"cell":4}"#);
    let strict = json!({
        "type": "object",
        "properties": { "cell": { "type": "integer" } },
        "required": ["cell"],
        "additionalProperties": false,
    });
    let format = json!({
        "type": "json_schema",
        "json_schema": { "name": "Move", "strict": true, "schema": strict },
    });
    assert_eq!(asked(&server).await["response_format"], format);
}

#[tokio::test]
async fn sends_a_schema_unchanged_if_strict_mode_cannot_express_it() {
    let server = server(ok(said("{}"))).await;
    let mut request = SamplingRequest::new("Count", 9);
    let schema = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    request.schema = Some(ResponseSchema::new("Map<String, u32>", schema.clone()));
    sample(&openai(&server), &request).await.unwrap();
    let expected = json!({ "name": "Map_String__u32_", "schema": schema });
    assert_eq!(asked(&server).await["response_format"]["json_schema"], expected);
}

#[tokio::test]
async fn does_not_use_unsupported_abilities() {
    let server = server(ok(said(""))).await;
    let model = compatible(&server).without_schema().without_tools();
    assert!(!model.abilities().schema && !model.abilities().tools);
    let mut request = SamplingRequest::new("Hi", 9);
    request.tools = vec![tool("a", &[])];
    request.tool_choice = Some(ToolChoice::Required);
    request.schema = Some(ResponseSchema::new("x", json!({ "type": "object" })));
    sample(&model, &request).await.unwrap();
    let body = asked(&server).await;
    let keys: Vec<_> = body.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["model", "messages", "max_tokens"]);
    let able = compatible(&server).abilities();
    assert!(able.schema && able.tools);
}
