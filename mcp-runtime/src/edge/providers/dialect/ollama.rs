//! Ollama's own API. Ollama's OpenAI-compatible API does not report truncated prompts, and has no additional features.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    ModelRequest, by_schema, openai,
    parts::split_results,
    reply::{ModelCall, ModelReply},
};
use crate::{
    edge::providers::failure::Failure,
    engine::sample::{Sampled, SamplingContent, SamplingMessage, StopReason, TokenUsage, ToolChoice},
    wire::protocol::json::object_of_some,
};

pub(super) fn body(asked: &ModelRequest<'_>) -> Result<Value, Failure> {
    let format = match calls_by_schema(asked) {
        true => Some(by_schema::schema(asked)),
        false => asked.schema().map(|schema| schema.schema.clone()),
    };
    let options = object_of_some([
        ("num_predict", Some(asked.request.max_tokens.into())),
        ("temperature", asked.temperature().map(Value::from)),
        ("stop", asked.stop_sequences()),
    ]);
    Ok(object_of_some([
        ("model", Some(asked.model.into())),
        ("messages", Some(messages(asked)?.into())),
        ("stream", Some(false.into())),
        ("format", format),
        ("tools", calls_natively(asked).then(|| openai::tools(asked).into())),
        ("options", Some(options)),
    ]))
}

/// Returns whether the request to the API contains the tools. Returns `false` if a call is forbidden or required,
/// because the API cannot express this.
fn calls_natively(asked: &ModelRequest<'_>) -> bool {
    let choice = asked.tool_choice().unwrap_or_default();
    asked.has_tools() && !asked.known.has_no_tools && choice == ToolChoice::Auto
}

/// Returns whether a JSON schema describes the tool calls. This is the case if a call is required, or if the model does
/// not support tools.
fn calls_by_schema(asked: &ModelRequest<'_>) -> bool {
    let choice = asked.tool_choice().unwrap_or_default();
    let natively = !asked.known.has_no_tools && choice != ToolChoice::Required;
    asked.has_tools() && !natively && choice != ToolChoice::None
}

fn messages(asked: &ModelRequest<'_>) -> Result<Vec<Value>, Failure> {
    let mut messages = Vec::new();
    let tools = calls_by_schema(asked).then(|| by_schema::instructions(asked));
    let system: Vec<_> = asked.system_prompt().into_iter().chain(tools.as_deref()).collect();
    if !system.is_empty() {
        messages.push(json!({ "role": "system", "content": system.join("\n\n") }));
    }
    for message in &asked.request.messages {
        push(asked, message, &mut messages)?;
    }
    Ok(messages)
}

fn push(asked: &ModelRequest<'_>, message: &SamplingMessage, messages: &mut Vec<Value>) -> Result<(), Failure> {
    let parts = split_results(message, messages, |result, text| {
        json!({
            "role": "tool",
            "content": text,
            "tool_name": called(asked, &result.tool_use_id),
            "tool_call_id": result.tool_use_id,
        })
    });
    let (mut texts, mut images, mut calls) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        match part {
            SamplingContent::Text(text) => texts.push(text),
            SamplingContent::Image { data, .. } => images.push(data),
            SamplingContent::Audio { mime_type, .. } => return Err(asked.not_supported("sounds", &mime_type)),
            SamplingContent::ToolUse(call) => {
                let name = asked.names.sent(&call.name);
                calls.push(json!({ "id": call.id, "function": { "name": name, "arguments": call.input } }));
            }
            // Already sent as a separate message.
            SamplingContent::ToolResult(_) => {}
        }
    }
    if texts.is_empty() && images.is_empty() && calls.is_empty() {
        return Ok(());
    }
    messages.push(object_of_some([
        ("role", Some(message.role.as_str().into())),
        ("content", Some(texts.join("\n").into())),
        ("images", (!images.is_empty()).then(|| images.into())),
        ("tool_calls", (!calls.is_empty()).then(|| calls.into())),
    ]));
    Ok(())
}

/// Returns the name of the tool in the call with this id. It is the name that is sent to the API.
fn called<'a>(asked: &'a ModelRequest<'_>, id: &str) -> Option<&'a str> {
    let parts = asked.request.messages.iter().flat_map(|message| &message.content);
    let call = parts.filter_map(SamplingContent::as_tool_use).find(|call| call.id == id)?;
    Some(asked.names.sent(&call.name))
}

#[derive(Deserialize)]
pub(super) struct Chat {
    model: Option<String>,
    message: OllamaMessage,
    done_reason: Option<String>,
    prompt_eval_count: Option<u64>,
    eval_count: Option<u64>,
}

#[derive(Deserialize)]
struct OllamaMessage {
    #[serde(default)]
    content: String,
    tool_calls: Option<Vec<ModelCall>>,
}

pub(super) fn read(asked: &ModelRequest<'_>, chat: Chat) -> Sampled {
    let mut reply = ModelReply::new(asked);
    if calls_by_schema(asked) {
        match by_schema::read(chat.message.content) {
            by_schema::SchemaAnswer::Call { name, arguments } => reply.call(None, &name, arguments),
            by_schema::SchemaAnswer::Words { reply: words } => reply.text(words),
        }
    } else {
        reply.text(chat.message.content);
    }
    reply.calls(chat.message.tool_calls);
    let stop = chat.done_reason.map(|reason| match reason.as_str() {
        "stop" => StopReason::EndTurn,
        "length" => StopReason::MaxTokens,
        _ => StopReason::Other(reason),
    });
    let (input, output) = (chat.prompt_eval_count, chat.eval_count);
    let usage = input.or(output).map(|_| TokenUsage::new(input.unwrap_or_default(), output.unwrap_or_default()));
    reply.done(chat.model, stop, usage)
}
