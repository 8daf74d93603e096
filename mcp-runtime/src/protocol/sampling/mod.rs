//! `sampling/createMessage`: its `params` for each revision, and its result.

mod message;
mod reply;
mod request;

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};

pub(crate) use self::message::text;
pub use self::{
    message::{Role, SamplingContent, SamplingMessage, ToolResult, ToolUse},
    reply::{Sampled, StopReason, TokenUsage},
    request::{ModelPreferences, ResponseSchema, SamplingRequest, SamplingTool, ToolChoice},
};
use super::revision::Revision;

/// Returns the `params`. Only requests to clients that declared tools contain tools.
pub(crate) fn create_message_params(revision: Revision, request: &SamplingRequest) -> Arc<str> {
    let mut params = Map::new();
    params.insert("messages".into(), messages(revision, &request.messages));
    let mut put = |name: &str, value: Option<Value>| value.map(|value| params.insert(name.into(), value));
    put("modelPreferences", request.model_preferences.as_ref().map(preferences));
    put("systemPrompt", request.system_prompt.as_deref().map(Value::from));
    put("maxTokens", Some(request.max_tokens.into()));
    put("temperature", request.temperature.map(Value::from));
    put("stopSequences", Some(&request.stop_sequences).filter(|stops| !stops.is_empty()).map(|stops| json!(stops)));
    let tools = request
        .tools
        .iter()
        .map(|tool| json!({ "name": tool.name, "description": tool.description, "inputSchema": tool.input_schema }));
    put("tools", Some(tools.collect()).filter(|_| !request.tools.is_empty()));
    put("toolChoice", request.tool_choice.map(|choice| json!({ "mode": choice.as_str() })));
    Value::Object(params).to_string().into()
}

fn preferences(preferences: &ModelPreferences) -> Value {
    let ModelPreferences { hints, cost, speed, intelligence } = preferences;
    let mut object = Map::new();
    if !hints.is_empty() {
        object.insert("hints".into(), hints.iter().map(|name| json!({ "name": name })).collect());
    }
    for (name, priority) in [("costPriority", cost), ("speedPriority", speed), ("intelligencePriority", intelligence)] {
        if let Some(priority) = priority {
            object.insert(name.into(), json!(priority));
        }
    }
    Value::Object(object)
}

/// Writes the messages. Before 2025-11-25 a message has one block, so one with several blocks becomes several messages.
fn messages(revision: Revision, messages: &[SamplingMessage]) -> Value {
    let mut written = Vec::with_capacity(messages.len());
    for SamplingMessage { role, content } in messages {
        let role = match role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        let mut blocks = content.iter().map(|part| block(revision, part));
        if revision.has_sampling_tools() {
            let content = if content.len() == 1 { blocks.next() } else { Some(blocks.collect()) };
            written.push(json!({ "role": role, "content": content }));
        } else {
            written.extend(blocks.map(|content| json!({ "role": role, "content": content })));
        }
    }
    Value::Array(written)
}

fn block(revision: Revision, part: &SamplingContent) -> Value {
    match part {
        SamplingContent::Text(text) => json!({ "type": "text", "text": text }),
        SamplingContent::Image { data, mime_type } => json!({ "type": "image", "data": data, "mimeType": mime_type }),
        SamplingContent::Audio { data, mime_type } if revision.has_audio() => {
            json!({ "type": "audio", "data": data, "mimeType": mime_type })
        }
        SamplingContent::Audio { mime_type, .. } => {
            json!({ "type": "text", "text": format!("[a sound of the type {mime_type}, which cannot be sent here]") })
        }
        SamplingContent::ToolUse(ToolUse { id, name, input }) => {
            json!({ "type": "tool_use", "id": id, "name": name, "input": input })
        }
        SamplingContent::ToolResult(result) => tool_result(result),
    }
}

fn tool_result(result: &ToolResult) -> Value {
    let ToolResult { tool_use_id, content, structured_content, is_error } = result;
    let mut block = json!({ "type": "tool_result", "toolUseId": tool_use_id, "content": content });
    if let Some(structured) = structured_content {
        block["structuredContent"] = structured.clone();
    }
    if *is_error {
        block["isError"] = true.into();
    }
    block
}

/// Reads a `CreateMessageResult` of any revision: one block, or several.
///
/// # Errors
/// A description of the first fault.
pub(crate) fn read_create_message(text: &str) -> Result<Sampled, String> {
    let CreateMessageResult { content, model, stop_reason, usage } =
        serde_json::from_str(text).map_err(|error| format!("not a `CreateMessageResult`: {error}"))?;
    let mut reply = Sampled::new(read_blocks(content)?, model);
    reply.stop_reason = stop_reason.as_deref().map(StopReason::from_wire);
    reply.usage = usage.map(|[input, output]| TokenUsage::new(input, output));
    Ok(reply)
}

/// Writes a reply as a `CreateMessageResult` with its token usage. The journal of a call stores the replies of the
/// server's own model in this form.
pub(crate) fn write_create_message(reply: &Sampled) -> Value {
    let content: Value = reply.content.iter().map(|part| block(Revision::LATEST, part)).collect();
    let mut result = json!({ "role": "assistant", "content": content, "model": reply.model });
    if let Some(reason) = &reply.stop_reason {
        result["stopReason"] = reason.as_str().into();
    }
    if let Some(TokenUsage { input, output, .. }) = reply.usage {
        result["usage"] = json!([input, output]);
    }
    result
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreateMessageResult {
    content: Value,
    #[serde(default)]
    model: String,
    stop_reason: Option<String>,
    /// Not part of the protocol; written by [`write_create_message`].
    #[serde(default, deserialize_with = "read_usage")]
    usage: Option<[u64; 2]>,
}

/// Reads the usage, and ignores any other value that a client writes there.
fn read_usage<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<[u64; 2]>, D::Error> {
    let value = Value::deserialize(from)?;
    Ok(serde_json::from_value(value).ok())
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
enum Read {
    Text {
        text: String,
    },
    Image {
        data: String,
        mime_type: String,
    },
    Audio {
        data: String,
        mime_type: String,
    },
    ToolUse {
        id: String,
        name: String,
        #[serde(default)]
        input: Map<String, Value>,
    },
    /// Blocks that later revisions may add.
    #[serde(other)]
    Other,
}

/// Reads one block, or an array of blocks.
fn read_blocks(content: Value) -> Result<Vec<SamplingContent>, String> {
    let blocks = match content {
        Value::Array(blocks) => blocks,
        block => vec![block],
    };
    let read = |block: Value| {
        let block = serde_json::from_value(block).map_err(|error| format!("`content`: {error}"))?;
        Ok(match block {
            Read::Text { text } => Some(SamplingContent::Text(text)),
            Read::Image { data, mime_type } => Some(SamplingContent::Image { data, mime_type }),
            Read::Audio { data, mime_type } => Some(SamplingContent::Audio { data, mime_type }),
            Read::ToolUse { id, name, input } => Some(SamplingContent::ToolUse(ToolUse { id, name, input })),
            Read::Other => None,
        })
    };
    blocks.into_iter().filter_map(|block| read(block).transpose()).collect()
}
