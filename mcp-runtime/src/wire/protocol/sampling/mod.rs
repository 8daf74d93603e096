//! `sampling/createMessage`: its `params` for each revision, and its result.

mod message;
#[cfg(feature = "dev")]
mod read_request;
mod reply;
mod request;

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};

pub(crate) use self::message::text;
#[cfg(feature = "dev")]
pub(crate) use self::read_request::read_create_message_params;
pub use self::{
    message::{Role, SamplingContent, SamplingMessage, ToolResult, ToolUse},
    reply::{Sampled, StopReason, TokenUsage},
    request::{ModelPreferences, ResponseSchema, SamplingRequest, SamplingTool, ToolChoice},
};
use super::{json::object_of_some, revision::Revision, text::reason};

/// Returns the `params` of the request. The caller puts tools into `request` only if the client declared
/// `sampling.tools`.
pub(crate) fn create_message_params(revision: Revision, request: &SamplingRequest) -> Arc<str> {
    let params = object_of_some([
        ("messages", Some(messages(revision, &request.messages))),
        ("modelPreferences", request.model_preferences.as_ref().map(preferences)),
        ("systemPrompt", request.system_prompt.as_deref().map(Value::from)),
        ("maxTokens", Some(request.max_tokens.into())),
        ("temperature", request.temperature.map(Value::from)),
        ("stopSequences", listed(request.stop_sequences.iter().map(|sequence| json!(sequence)))),
        ("tools", listed(request.tools.iter().map(tool))),
        ("toolChoice", request.tool_choice.map(|choice| json!({ "mode": choice.as_str() }))),
    ]);
    params.to_string().into()
}

fn tool(tool: &SamplingTool) -> Value {
    json!({ "name": tool.name, "description": tool.description, "inputSchema": tool.input_schema })
}

fn preferences(preferences: &ModelPreferences) -> Value {
    let ModelPreferences { hints, cost, speed, intelligence } = preferences;
    object_of_some([
        ("hints", listed(hints.iter().map(|name| json!({ "name": name })))),
        ("costPriority", cost.map(Value::from)),
        ("speedPriority", speed.map(Value::from)),
        ("intelligencePriority", intelligence.map(Value::from)),
    ])
}

/// Returns an array, or `None` if it would be empty.
fn listed(values: impl ExactSizeIterator<Item = Value>) -> Option<Value> {
    (values.len() > 0).then(|| values.collect())
}

/// Writes the messages. Before 2025-11-25 a message has one block, so a message with several blocks is split.
fn messages(revision: Revision, messages: &[SamplingMessage]) -> Value {
    let mut written = Vec::with_capacity(messages.len());
    for SamplingMessage { role, content } in messages {
        let role = role.as_str();
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
    object_of_some([
        ("type", Some("tool_result".into())),
        ("toolUseId", Some(tool_use_id.as_str().into())),
        ("content", Some(json!(content))),
        ("structuredContent", structured_content.clone()),
        ("isError", is_error.then(|| true.into())),
    ])
}

/// Reads a `CreateMessageResult` of a client, in any revision. The content can be one block or several.
///
/// # Errors
/// Returns a description of the first fault.
pub(crate) fn read_create_message(text: &str) -> Result<Sampled, String> {
    let CreateMessageResult { content, model, stop_reason } =
        serde_json::from_str(text).map_err(|error| format!("not a `CreateMessageResult`: {}", reason(&error)))?;
    let mut reply = Sampled::new(read_blocks(content)?, model);
    reply.stop_reason = stop_reason.as_deref().map(StopReason::from_wire);
    Ok(reply)
}

/// Writes a reply as a `CreateMessageResult`.
pub(crate) fn write_create_message(reply: &Sampled) -> Value {
    let content: Value = reply.content.iter().map(|part| block(Revision::LATEST, part)).collect();
    object_of_some([
        ("role", Some("assistant".into())),
        ("content", Some(content)),
        ("model", Some(reply.model.as_str().into())),
        ("stopReason", reply.stop_reason.as_ref().map(|reason| reason.as_str().into())),
    ])
}

/// Returns a `CreateMessageResult` with a text, in a form that all revisions have.
#[cfg(any(feature = "dev", feature = "testing"))]
pub(crate) fn sampled_text(text: &str, model: &str) -> Value {
    let content = json!({ "type": "text", "text": text });
    json!({ "role": "assistant", "content": content, "model": model, "stopReason": "endTurn" })
}

/// Writes a reply of the server's own provider, as the journal of a call stores it: a `CreateMessageResult` with the
/// token usage, which the protocol does not have.
pub(crate) fn write_own_reply(reply: &Sampled) -> Value {
    let mut written = write_create_message(reply);
    if let Some(TokenUsage { input, output }) = reply.usage {
        written["usage"] = json!([input, output]);
    }
    written
}

/// Reads what [`write_own_reply`] wrote. Must not be called for the answer of a client, whose usage is not known.
pub(crate) fn read_own_reply(text: &str) -> Result<Sampled, String> {
    #[derive(Deserialize)]
    struct OwnUsage {
        usage: Option<[u64; 2]>,
    }
    let mut reply = read_create_message(text)?;
    let OwnUsage { usage } = serde_json::from_str(text).map_err(|error| error.to_string())?;
    reply.usage = usage.map(|[input, output]| TokenUsage::new(input, output));
    Ok(reply)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct CreateMessageResult {
    content: Value,
    #[serde(default)]
    model: String,
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(
    tag = "type",
    rename_all = "snake_case",
    rename_all_fields = "camelCase",
    expecting = r#"a content block, such as `{"type":"text","text":"…"}`, or a list of them"#
)]
enum ReadContent {
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
        let block = serde_json::from_value(block).map_err(|error| format!("`content`: {}", reason(&error)))?;
        Ok(match block {
            ReadContent::Text { text } => Some(SamplingContent::Text(text)),
            ReadContent::Image { data, mime_type } => Some(SamplingContent::Image { data, mime_type }),
            ReadContent::Audio { data, mime_type } => Some(SamplingContent::Audio { data, mime_type }),
            ReadContent::ToolUse { id, name, input } => Some(SamplingContent::ToolUse(ToolUse { id, name, input })),
            ReadContent::Other => None,
        })
    };
    blocks.into_iter().filter_map(|block| read(block).transpose()).collect()
}
