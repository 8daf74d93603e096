//! Anthropic's Messages API.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{ModelRequest, parts::result_text, reply::Reply};
use crate::{
    providers::failure::Failure,
    sample::{Role, Sampled, SamplingContent, SamplingTool, StopReason, TokenUsage, ToolChoice, ToolResult},
};

pub(super) fn body(asked: &ModelRequest<'_>) -> Result<Value, Failure> {
    let mut body = Map::new();
    body.insert("model".to_owned(), asked.model.into());
    body.insert("max_tokens".to_owned(), asked.request.max_tokens.into());
    if let Some(system) = asked.system_prompt() {
        body.insert("system".to_owned(), system.into());
    }
    body.insert("messages".to_owned(), messages(asked)?.into());
    if let Some(temperature) = asked.temperature() {
        // Other APIs accept up to 2.
        body.insert("temperature".to_owned(), temperature.min(1.0).into());
    }
    if !asked.request.stop_sequences.is_empty() {
        body.insert("stop_sequences".to_owned(), asked.request.stop_sequences.clone().into());
    }
    if !asked.tools().is_empty() {
        body.insert("tools".to_owned(), asked.tools().iter().map(|it| tool(asked, it)).collect());
    }
    if let Some(choice) = asked.tool_choice() {
        let choice = if choice == ToolChoice::Required { "any" } else { choice.as_str() };
        body.insert("tool_choice".to_owned(), json!({ "type": choice }));
    }
    if asked.known.thinks && asked.tool_choice() == Some(ToolChoice::Required) {
        body.insert("thinking".to_owned(), json!({ "type": "disabled" }));
    }
    Ok(body.into())
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
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        let blocks = message.content.iter().filter_map(|part| block(asked, part).transpose());
        let blocks = blocks.collect::<Result<Vec<_>, _>>()?;
        if !blocks.is_empty() {
            messages.push(json!({ "role": role, "content": blocks }));
        }
    }
    Ok(messages)
}

/// Leaves out empty texts, which the API rejects.
fn block(asked: &ModelRequest<'_>, part: &SamplingContent) -> Result<Option<Value>, Failure> {
    Ok(Some(match part {
        SamplingContent::Text(text) if text.trim().is_empty() => return Ok(None),
        SamplingContent::Text(text) => json!({ "type": "text", "text": text }),
        SamplingContent::Image { data, mime_type } => {
            json!({ "type": "image", "source": { "type": "base64", "media_type": mime_type, "data": data } })
        }
        SamplingContent::Audio { mime_type, .. } => return Err(asked.unsayable("sounds", mime_type)),
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
    let mut value = json!({ "type": "tool_result", "tool_use_id": result.tool_use_id, "content": blocks });
    if result.is_error {
        value["is_error"] = true.into();
    }
    Ok(value)
}

#[derive(Deserialize)]
pub(super) struct Message {
    model: Option<String>,
    content: Vec<Block>,
    stop_reason: Option<String>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        text: String,
    },
    ToolUse {
        id: Option<String>,
        name: String,
        #[serde(default)]
        input: Value,
    },
    /// Thinking blocks, and kinds added later.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Usage {
    input_tokens: Option<u64>,
    /// Tokens written to and read from a cache are not included in `input_tokens`.
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

pub(super) fn read(asked: &ModelRequest<'_>, message: Message) -> Sampled {
    let mut reply = Reply::new(asked);
    for block in message.content {
        match block {
            Block::Text { text } => reply.text(text),
            Block::ToolUse { id, name, input } => reply.call(id, &name, input),
            Block::Other => {}
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
