//! Requests to Anthropic.

use mcp_runtime::{
    Content,
    sample::{Messages, ResponseSchema, SamplingProvider, SamplingRequest, ToolChoice},
};
use serde_json::json;

use crate::providers::support::*;

#[tokio::test]
async fn sends_a_text_as_one_message() {
    let server = server(ok(message(json!([{ "type": "text", "text": "Hello!" }]), "end_turn"))).await;
    let mut request = SamplingRequest::new("Hi", 100);
    request.system_prompt = Some("Be brief.".to_owned());
    request.temperature = Some(1.5);
    request.stop_sequences = vec!["END".to_owned()];
    let reply = sample(&anthropic(&server), &request).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.model.as_str()), ("Hello!", "claude-x-20260101"));
    let sent = &requests(&server).await[0];
    assert_eq!(sent.url.path(), "/v1/messages");
    assert_eq!(sent.headers["x-api-key"], KEY);
    assert_eq!(sent.headers["anthropic-version"], "2023-06-01");
    assert!(!sent.headers.contains_key("authorization"));
    let body = json!({
        "model": "claude-x",
        "max_tokens": 100,
        "system": "Be brief.",
        "messages": [{ "role": "user", "content": [{ "type": "text", "text": "Hi" }] }],
        // The maximum of the API.
        "temperature": 1.0,
        "stop_sequences": ["END"],
    });
    assert_eq!(asked(&server).await, body);
}

#[tokio::test]
async fn sends_images_as_blocks_and_omits_empty_texts() {
    let server = server(ok(message(json!([]), "end_turn"))).await;
    let messages = Messages::new().user([Content::text(""), Content::image(b"\x89PNG", "image/png")]).assistant(" ");
    sample(&anthropic(&server), &SamplingRequest::new(messages.user("Well?"), 9)).await.unwrap();
    let source = json!({ "type": "base64", "media_type": "image/png", "data": "iVBORw==" });
    let messages = json!([
        { "role": "user", "content": [{ "type": "image", "source": source }] },
        { "role": "user", "content": [{ "type": "text", "text": "Well?" }] },
    ]);
    assert_eq!(asked(&server).await["messages"], messages);
}

#[tokio::test]
async fn rejects_audio_before_the_request() {
    let server = server(ok(message(json!([]), "end_turn"))).await;
    let request = SamplingRequest::new(Messages::new().user([Content::audio(b"RIFF", "audio/wav")]), 9);
    let error = sample(&anthropic(&server), &request).await.unwrap_err().to_string();
    assert!(error.ends_with("it does not accept sounds of the type `audio/wav`"), "{error}");
    assert!(requests(&server).await.is_empty());
}

#[tokio::test]
async fn sends_tool_calls_and_their_results() {
    let server = server(ok(message(json!([]), "end_turn"))).await;
    sample(&anthropic(&server), &long_conversation()).await.unwrap();
    let call = |id: &str, city: &str| json!({ "type": "tool_use", "id": id, "name": "get_weather", "input": { "city": city } });
    let text = |text: &str| json!({ "type": "text", "text": text });
    let image = json!({
        "type": "image",
        "source": { "type": "base64", "media_type": "image/png", "data": "iVBORw==" },
    });
    let failed = [text("there is no such city")];
    let messages = json!([
        { "role": "user", "content": [text("How is the weather?")] },
        { "role": "assistant", "content": [text("I look."), call("t1", "Oslo"), call("t2", "Atlantis")] },
        {
            "role": "user",
            "content": [
                { "type": "tool_result", "tool_use_id": "t1", "content": [text("4 C"), image] },
                { "type": "tool_result", "tool_use_id": "t2", "content": failed, "is_error": true },
            ],
        },
        { "role": "user", "content": [text("And now?")] },
    ]);
    assert_eq!(asked(&server).await["messages"], messages);
}

#[tokio::test]
async fn sends_tools_with_schemas_and_the_choice() {
    let server = server(ok(message(json!([]), "end_turn"))).await;
    for (choice, word) in [
        (None, json!(null)),
        (Some(ToolChoice::Auto), json!({ "type": "auto" })),
        (Some(ToolChoice::Required), json!({ "type": "any" })),
        (Some(ToolChoice::None), json!({ "type": "none" })),
    ] {
        let mut request = SamplingRequest::new("Hi", 9);
        request.tools = vec![tool("flights.search", &["to"])];
        request.tool_choice = choice;
        sample(&anthropic(&server), &request).await.unwrap();
        let body = asked(&server).await;
        let schema = json!({ "type": "object", "properties": { "to": { "type": "string" } }, "required": ["to"] });
        let expected =
            json!({ "name": "flights_search", "description": "Does flights.search.", "input_schema": schema });
        assert_eq!(body["tools"], json!([expected]));
        assert_eq!(body["tool_choice"], word);
        assert!(body.get("thinking").is_none());
    }
}

#[tokio::test]
async fn sends_a_schema_as_a_forced_tool() {
    let server = server(ok(message(json!([]), "end_turn"))).await;
    let model = anthropic(&server);
    assert!(model.abilities().tools && !model.abilities().schema);
    let mut request = SamplingRequest::new("Hi", 9);
    request.schema = Some(ResponseSchema::new("x", json!({ "type": "object" })));
    sample(&model, &request).await.unwrap();
    let body = asked(&server).await;
    let keys: Vec<_> = body.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["model", "max_tokens", "messages"]);
}
