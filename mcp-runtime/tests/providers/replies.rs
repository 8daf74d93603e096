//! Parsing of replies.

use mcp_runtime::sample::{Sampled, SamplingContent, SamplingRequest, StopReason, TokenUsage, ToolUse};
use serde_json::{Map, Value, json};

use crate::providers::support::*;

/// Returns the parsed reply of each of the three APIs.
async fn read(openai_reply: Value, anthropic_reply: Value, ollama_reply: Value) -> [Sampled; 3] {
    let mut request = SamplingRequest::new("Hi", 9);
    request.tools = vec![tool("a.b", &[]), tool("c", &[])];
    let servers = [server(ok(openai_reply)).await, server(ok(anthropic_reply)).await, server(ok(ollama_reply)).await];
    [
        sample(&openai(&servers[0]), &request).await.unwrap(),
        sample(&anthropic(&servers[1]), &request).await.unwrap(),
        sample(&ollama(&servers[2]), &request).await.unwrap(),
    ]
}

fn assistant(content: &str, tool_calls: Value) -> Value {
    let mut message = json!({ "role": "assistant", "content": content });
    message["tool_calls"] = tool_calls;
    message
}

fn call(id: &str, name: &str, input: Value) -> SamplingContent {
    let Value::Object(input) = input else { unreachable!("it is an object") };
    SamplingContent::ToolUse(ToolUse::new(id, name, input))
}

#[tokio::test]
async fn reads_text_stop_reason_and_usage() {
    let replies = read(
        said("Hello!"),
        message(
            json!([{ "type": "thinking", "thinking": "Hm", "signature": "x" }, { "type": "text", "text": "Hello!" }]),
            "end_turn",
        ),
        chat(json!({ "role": "assistant", "content": "Hello!", "thinking": "Hm" }), "stop"),
    )
    .await;
    for (reply, usage) in replies.iter().zip([(19, 10), (12, 6), (26, 7)]) {
        assert_eq!(reply.content, [SamplingContent::Text("Hello!".to_owned())]);
        assert_eq!(reply.stop_reason, Some(StopReason::EndTurn));
        assert_eq!(reply.usage, Some(TokenUsage::new(usage.0, usage.1)));
    }
}

#[tokio::test]
async fn reports_a_truncated_reply() {
    let replies = read(
        completion(json!({ "role": "assistant", "content": "Once upon" }), "length"),
        message(json!([{ "type": "text", "text": "Once upon" }]), "max_tokens"),
        chat(json!({ "role": "assistant", "content": "Once upon" }), "length"),
    )
    .await;
    for reply in replies {
        assert_eq!((reply.text.as_str(), reply.stop_reason), ("Once upon", Some(StopReason::MaxTokens)));
    }
}

#[tokio::test]
async fn several_calls_keep_their_order_their_names_and_their_ids() {
    let function = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments });
    let replies = read(
        completion(
            assistant(
                "Both.",
                json!([
                    { "id": "x1", "type": "function", "function": function("a_b", json!(r#"{"n":1}"#)) },
                    { "id": "x2", "type": "function", "function": function("c", json!("")) },
                ]),
            ),
            "tool_calls",
        ),
        message(
            json!([
                { "type": "text", "text": "Both." },
                { "type": "tool_use", "id": "x1", "name": "a_b", "input": { "n": 1 } },
                { "type": "tool_use", "id": "x2", "name": "c", "input": {} },
            ]),
            "tool_use",
        ),
        chat(
            assistant(
                "Both.",
                json!([
                    { "id": "x1", "function": function("a_b", json!({ "n": 1 })) },
                    { "id": "x2", "function": function("c", json!({})) },
                ]),
            ),
            "stop",
        ),
    )
    .await;
    for reply in replies {
        let text = SamplingContent::Text("Both.".to_owned());
        assert_eq!(reply.content, [text, call("x1", "a.b", json!({ "n": 1 })), call("x2", "c", json!({}))]);
        assert_eq!(reply.stop_reason, Some(StopReason::ToolUse));
    }
}

#[tokio::test]
async fn gives_calls_unique_ids() {
    let function = json!({ "name": "c", "arguments": {} });
    let calls =
        json!([{ "function": function }, { "function": function, "id": "" }, { "function": function, "id": "t1" }]);
    let server = server(ok(chat(assistant("", calls), "stop"))).await;
    let reply = sample(&ollama(&server), &long_conversation()).await.unwrap();
    let ids: Vec<_> = reply.content.iter().map(|part| part.as_tool_use().unwrap().id.as_str()).collect();
    assert_eq!(ids, ["call_3", "call_4", "call_5"]);
}

#[tokio::test]
async fn keeps_invalid_arguments_as_text() {
    for (arguments, shown) in [(json!(r#"{"n":"#), r#"c({"n":)"#), (json!("[1]"), "c([1])"), (json!(7), "c(7)")] {
        let broken = json!({ "id": "x1", "type": "function", "function": { "name": "c", "arguments": arguments } });
        let fine = json!({ "id": "x2", "type": "function", "function": { "name": "c", "arguments": "{}" } });
        let server = server(ok(completion(assistant("", json!([broken])), "tool_calls"))).await;
        let reply = sample(&openai(&server), &SamplingRequest::new("Hi", 9)).await.unwrap();
        assert_eq!(reply.content, [SamplingContent::Text(shown.to_owned())]);
        assert_eq!(reply.stop_reason, Some(StopReason::EndTurn));
        let server =
            crate::providers::support::server(ok(completion(assistant("", json!([broken, fine])), "length"))).await;
        let reply = sample(&openai(&server), &SamplingRequest::new("Hi", 9)).await.unwrap();
        assert_eq!(reply.content, [SamplingContent::Text(shown.to_owned()), call("x2", "c", json!({}))]);
        assert_eq!(reply.stop_reason, Some(StopReason::MaxTokens), "cut off all the same");
    }
}

#[tokio::test]
async fn reads_a_refusal_as_text_with_a_stop_reason() {
    let refusal = json!({ "role": "assistant", "content": null, "refusal": "I can't." });
    let [openai, anthropic, _] = read(
        completion(refusal, "stop"),
        message(json!([{ "type": "text", "text": "I can't." }]), "refusal"),
        chat(json!({ "role": "assistant", "content": "" }), "stop"),
    )
    .await;
    for reply in [openai, anthropic] {
        assert_eq!(reply.text, "I can't.");
        assert_eq!(reply.stop_reason, Some(StopReason::Other("refusal".to_owned())));
    }
    let server = server(ok(completion(json!({ "role": "assistant", "content": null }), "content_filter"))).await;
    let reply = sample(&compatible(&server), &SamplingRequest::new("Hi", 9)).await.unwrap();
    assert_eq!(reply.stop_reason, Some(StopReason::Other("content_filter".to_owned())));
}

#[tokio::test]
async fn an_empty_reply_has_no_parts() {
    let replies = read(
        completion(json!({ "role": "assistant", "content": "" }), "stop"),
        message(json!([]), "end_turn"),
        chat(json!({ "role": "assistant", "content": "" }), "stop"),
    )
    .await;
    for reply in replies {
        assert_eq!((reply.content.len(), reply.text.as_str()), (0, ""));
    }
}

/// Fields that minimal servers leave out.
#[tokio::test]
async fn reads_a_minimal_reply() {
    let replies = read(
        json!({ "choices": [{ "message": { "content": [{ "type": "text", "text": "Hi" }] } }] }),
        json!({ "content": [{ "type": "text", "text": "Hi" }] }),
        json!({ "message": { "content": "Hi" } }),
    )
    .await;
    for (reply, name) in replies.iter().zip(["gpt-x", "claude-x", "llama"]) {
        assert_eq!((reply.text.as_str(), reply.model.as_str()), ("Hi", name));
        assert_eq!((reply.stop_reason.as_ref(), reply.usage), (None, None));
    }
}

#[tokio::test]
async fn omits_null_and_empty_values() {
    let message = json!({ "content": "Hi", "refusal": "", "tool_calls": null, "reasoning_content": null });
    let usage = json!({ "prompt_tokens": 3, "completion_tokens": null });
    let choices = json!([{ "message": message, "finish_reason": "stop" }]);
    let server = server(ok(json!({ "choices": choices, "usage": usage, "error": null, "model": "" }))).await;
    let reply = sample(&compatible(&server), &SamplingRequest::new("Hi", 9)).await.unwrap();
    assert_eq!(reply.content, [SamplingContent::Text("Hi".to_owned())]);
    assert_eq!((reply.model.as_str(), reply.stop_reason), ("small", Some(StopReason::EndTurn)));
    assert_eq!(reply.usage, Some(TokenUsage::new(3, 0)));
}

#[tokio::test]
async fn reads_a_call_without_a_matching_stop_reason() {
    let calls = json!([{ "function": { "name": "c" } }]);
    let server = server(ok(json!({ "choices": [{ "message": { "tool_calls": calls } }] }))).await;
    let reply = sample(&compatible(&server), &SamplingRequest::new("Hi", 9)).await.unwrap();
    assert_eq!(reply.content, [SamplingContent::ToolUse(ToolUse::new("call_1", "c", Map::new()))]);
    assert_eq!(reply.stop_reason, Some(StopReason::ToolUse));
}
