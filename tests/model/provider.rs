//! The provider without a server.

use std::time::{Duration, Instant};

use mcp_runtime::sample::{
    Messages, ResponseSchema, Sampled, SamplingContent, SamplingProvider, SamplingRequest, SamplingTool, StopReason,
    ToolChoice,
};
use serde_json::{Value, json};

use crate::model::support::*;

/// Returns a request with a small limit of tokens.
fn request(messages: impl Into<Messages>) -> SamplingRequest {
    let mut request = SamplingRequest::new(messages, 32);
    request.temperature = Some(0.0);
    request
}

fn tools() -> Vec<SamplingTool> {
    let reason = json!({ "type": "object", "properties": { "reason": { "type": "string" } }, "required": ["reason"] });
    vec![SamplingTool::new("attack", "Attack.").input_schema(reason), SamplingTool::new("defend", "Defend.")]
}

async fn sample(model: &str, request: &SamplingRequest) -> Sampled {
    named(model).sample(request).await.expect("the model replies")
}

#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn reads_text_stop_reason_and_usage() {
    let mut request = request("Say hello in one short sentence.");
    request.system_prompt = Some("Be brief.".to_owned());
    let reply = sample("free", &request).await;
    assert!(!reply.text.trim().is_empty());
    assert_eq!(reply.model, "free");
    assert!(matches!(reply.stop_reason, Some(StopReason::EndTurn | StopReason::MaxTokens)), "{reply:?}");
    let usage = reply.usage.unwrap();
    assert!(usage.input > 5 && (1..=32).contains(&usage.output), "{usage:?}");
}

#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn reports_a_reply_truncated_at_the_limit() {
    let mut request = request("Tell me a long story about a cat.");
    request.max_tokens = 5;
    let reply = sample("free", &request).await;
    assert_eq!(reply.stop_reason, Some(StopReason::MaxTokens));
    assert_eq!(reply.usage.unwrap().output, 5);
}

#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn follows_a_schema() {
    let mut request = request("Pick a cell.");
    request.max_tokens = 64;
    let schema = json!({
        "type": "object",
        "properties": {
            "cell": { "type": "integer", "format": "uint8", "minimum": 0, "maximum": 8 },
            "sure": { "type": "boolean" },
            "side": { "enum": ["left", "right"] },
        },
        "required": ["cell", "sure", "side"],
    });
    request.schema = Some(ResponseSchema::new("Move", schema.clone()));
    let reply = sample("guided", &request).await;
    let value: Value = serde_json::from_str(&reply.text).unwrap_or_else(|_| panic!("{reply:?}"));
    assert!(jsonschema::is_valid(&schema, &value), "{value}");
}

#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn makes_a_required_call() {
    let mut request = request("The enemy comes. What do you do?");
    request.max_tokens = 64;
    request.tools = tools();
    request.tool_choice = Some(ToolChoice::Required);
    let reply = sample("guided", &request).await;
    let call = reply.content[0].as_tool_use().unwrap_or_else(|| panic!("{reply:?}"));
    assert!(["attack", "defend"].contains(&call.name.as_str()), "{call:?}");
    assert_eq!(reply.stop_reason, Some(StopReason::ToolUse));

    // The conversation continues with the result of the call.
    let messages = Messages::new().user("The enemy comes. What do you do?");
    let messages = messages.answered(&reply, [call.result("It worked.")]).unwrap().user("What came of it?");
    let mut request = self::request(messages);
    request.tools = tools();
    request.tool_choice = Some(ToolChoice::None);
    let reply = sample("guided", &request).await;
    assert!(!reply.text.is_empty() && reply.content.iter().all(|part| part.as_text().is_some()), "{reply:?}");
}

/// The model may write a call or text. Text is not turned into a call.
#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn reads_any_reply_of_an_unconstrained_model() {
    for choice in [ToolChoice::Auto, ToolChoice::Required] {
        let mut request = request("The enemy comes. What do you do?");
        request.tools = tools();
        request.tool_choice = Some(choice);
        let reply = sample("free", &request).await;
        for part in &reply.content {
            match part {
                SamplingContent::Text(text) => assert!(!text.is_empty()),
                SamplingContent::ToolUse(call) => assert!(["attack", "defend"].contains(&call.name.as_str())),
                other => panic!("{other:?}"),
            }
        }
        let calls = reply.content.iter().any(|part| part.as_tool_use().is_some());
        assert_eq!(calls, reply.stop_reason == Some(StopReason::ToolUse), "{reply:?}");
    }
}

#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn reports_an_unknown_model() {
    let error = named("missing").sample(&request("Hi")).await.unwrap_err().to_string();
    let end = "there is no such model, or the URL is wrong (404): there is no model `missing`";
    assert!(error.ends_with(end), "{error}");
}

/// Otherwise the next request would wait, because the model serves one request at a time.
#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn stops_generation_when_the_future_is_dropped() {
    let mut long = request("Tell me a very long story about a cat, a dog and a mouse.");
    long.max_tokens = 3000;
    long.stop_sequences = vec!["NEVER".to_owned()];
    let asking = tokio::spawn(async move { free().sample(&long).await.map(drop) });
    tokio::time::sleep(Duration::from_secs(1)).await;
    asking.abort();
    assert!(asking.await.unwrap_err().is_cancelled(), "it was still writing");
    let began = Instant::now();
    let mut short = request("Hi");
    short.max_tokens = 1;
    sample("free", &short).await;
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
}
