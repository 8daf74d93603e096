//! The provider alone.

use std::time::{Duration, Instant};

use mcp_runtime::sample::{
    Messages, ResponseSchema, Sampled, SamplingContent, SamplingProvider, SamplingRequest, SamplingTool, StopReason,
    ToolChoice,
};
use serde_json::{Value, json};

use crate::support::*;

/// A request that ends soon.
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
async fn text_has_an_end_and_a_price() {
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
async fn what_is_too_long_is_cut_off_and_said_to_be() {
    let mut request = request("Tell me a long story about a cat.");
    request.max_tokens = 5;
    let reply = sample("free", &request).await;
    assert_eq!(reply.stop_reason, Some(StopReason::MaxTokens));
    assert_eq!(reply.usage.unwrap().output, 5);
}

#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn a_schema_is_followed() {
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
async fn a_call_that_is_required_is_made() {
    let mut request = request("The enemy comes. What do you do?");
    request.max_tokens = 64;
    request.tools = tools();
    request.tool_choice = Some(ToolChoice::Required);
    let reply = sample("guided", &request).await;
    let call = reply.content[0].as_tool_use().unwrap_or_else(|| panic!("{reply:?}"));
    assert!(["attack", "defend"].contains(&call.name.as_str()), "{call:?}");
    assert_eq!(reply.stop_reason, Some(StopReason::ToolUse));

    // And the conversation goes on with what came of it.
    let messages = Messages::new().user("The enemy comes. What do you do?");
    let messages = messages.answered(&reply, [call.result("It worked.")]).unwrap().user("What came of it?");
    let mut request = self::request(messages);
    request.tools = tools();
    request.tool_choice = Some(ToolChoice::None);
    let reply = sample("guided", &request).await;
    assert!(!reply.text.is_empty() && reply.content.iter().all(|part| part.as_text().is_some()), "{reply:?}");
}

/// It writes a call, or words; what is no call is not made one.
#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn a_model_that_writes_what_it_likes_is_read() {
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
async fn a_model_that_is_not_there_is_said() {
    let error = named("missing").sample(&request("Hi")).await.unwrap_err().to_string();
    let end = "there is no such model, or the URL is wrong (404): there is no model `missing`";
    assert!(error.ends_with(end), "{error}");
}

/// Else the next would wait for it: it writes one text at a time.
#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn what_nobody_waits_for_is_not_written() {
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
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}
