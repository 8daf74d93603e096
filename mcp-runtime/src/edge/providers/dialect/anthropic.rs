//! Anthropic's Messages API.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{ModelRequest, parts::result_text, reply::ModelReply};
use crate::{
    edge::providers::failure::Failure,
    engine::sample::{Sampled, SamplingContent, SamplingTool, StopReason, TokenUsage, ToolChoice, ToolResult},
    wire::protocol::json::object_of_some,
};

pub(super) fn body(asked: &ModelRequest<'_>) -> Result<Value, Failure> {
    let choice = asked.tool_choice().map(|choice| match choice {
        ToolChoice::Required => json!({ "type": "any" }),
        choice => json!({ "type": choice.as_str() }),
    });
    let thinks = asked.known.thinks && asked.tool_choice() == Some(ToolChoice::Required);
    Ok(object_of_some([
        ("model", Some(asked.model.into())),
        ("max_tokens", Some(asked.request.max_tokens.into())),
        ("system", asked.system_prompt().map(Value::from)),
        ("messages", Some(messages(asked)?.into())),
        // This API accepts at most 1, other APIs 2.
        ("temperature", asked.temperature().map(|temperature| temperature.min(1.0).into())),
        ("stop_sequences", asked.stop_sequences()),
        ("tools", asked.has_tools().then(|| asked.tools().iter().map(|it| tool(asked, it)).collect())),
        ("tool_choice", choice),
        ("thinking", thinks.then(|| json!({ "type": "disabled" }))),
    ]))
}

fn tool(asked: &ModelRequest<'_>, tool: &SamplingTool) -> Value {
    json!({
        "name": asked.names.sent(&tool.name),
        "description": tool.description,
        "input_schema": tool.input_schema,
    })
}

fn messages(asked: &ModelRequest<'_>) -> Result<Vec<Value>, Failure> {
    let mut messages = Vec::new();
    for message in &asked.request.messages {
        let blocks = message.content.iter().filter_map(|part| block(asked, part).transpose());
        let blocks = blocks.collect::<Result<Vec<_>, _>>()?;
        if !blocks.is_empty() {
            messages.push(json!({ "role": message.role.as_str(), "content": blocks }));
        }
    }
    Ok(messages)
}

/// Converts a part of a message. Returns `None` for an empty text, which the API rejects.
fn block(asked: &ModelRequest<'_>, part: &SamplingContent) -> Result<Option<Value>, Failure> {
    Ok(Some(match part {
        SamplingContent::Text(text) if text.trim().is_empty() => return Ok(None),
        SamplingContent::Text(text) => json!({ "type": "text", "text": text }),
        SamplingContent::Image { data, mime_type } => {
            json!({ "type": "image", "source": { "type": "base64", "media_type": mime_type, "data": data } })
        }
        SamplingContent::Audio { mime_type, .. } => return Err(asked.not_supported("sounds", mime_type)),
        SamplingContent::ToolUse(call) => json!({
            "type": "tool_use",
            "id": call.id,
            "name": asked.names.sent(&call.name),
            "input": call.input,
        }),
        SamplingContent::ToolResult(result) => tool_result(asked, result)?,
    }))
}

fn tool_result(asked: &ModelRequest<'_>, result: &ToolResult) -> Result<Value, Failure> {
    let text = result_text(result);
    let parts = std::iter::once(SamplingContent::Text(text.text)).chain(text.media);
    let blocks = parts.filter_map(|part| block(asked, &part).transpose()).collect::<Result<Vec<_>, _>>()?;
    Ok(object_of_some([
        ("type", Some("tool_result".into())),
        ("tool_use_id", Some(result.tool_use_id.as_str().into())),
        ("content", Some(blocks.into())),
        ("is_error", result.is_error.then(|| true.into())),
    ]))
}

#[derive(Deserialize)]
pub(super) struct AnthropicMessage {
    model: Option<String>,
    content: Vec<AnthropicBlock>,
    stop_reason: Option<String>,
    usage: Option<AnthropicUsage>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum AnthropicBlock {
    Text {
        text: String,
    },
    ToolUse {
        id: Option<String>,
        name: String,
        #[serde(default)]
        input: Value,
    },
    /// Thinking blocks, and kinds of blocks that the API adds later.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct AnthropicUsage {
    input_tokens: Option<u64>,
    /// The tokens written to a cache. `input_tokens` does not include them, and does not include the tokens read from a
    /// cache.
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

pub(super) fn read(asked: &ModelRequest<'_>, message: AnthropicMessage) -> Sampled {
    let mut reply = ModelReply::new(asked);
    for block in message.content {
        match block {
            AnthropicBlock::Text { text } => reply.text(text),
            AnthropicBlock::ToolUse { id, name, input } => reply.call(id, &name, input),
            AnthropicBlock::Other => {}
        }
    }
    let stop = message.stop_reason.map(|reason| match reason.as_str() {
        "end_turn" => StopReason::EndTurn,
        "stop_sequence" => StopReason::StopSequence,
        "max_tokens" => StopReason::MaxTokens,
        "tool_use" => StopReason::ToolUse,
        _ => StopReason::Other(reason),
    });
    let usage = message.usage.map(|usage| {
        let input = [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens];
        let input = input.into_iter().flatten().fold(0, u64::saturating_add);
        TokenUsage::new(input, usage.output_tokens.unwrap_or_default())
    });
    reply.done(message.model, stop, usage)
}
