//! The Chat Completions API of OpenAI and compatible servers.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    ModelRequest,
    parts::{is_text_alone, joined, split_results},
    reply::{ModelCall, ModelReply},
    strict,
};
use crate::{
    edge::providers::{failure::Failure, names::fitting},
    engine::sample::{Role, Sampled, SamplingContent, SamplingMessage, SamplingTool, StopReason, TokenUsage},
    wire::protocol::json::object_of_some,
};

pub(super) fn body(asked: &ModelRequest<'_>, max_tokens: &str) -> Result<Value, Failure> {
    let format = asked.schema().map(|schema| {
        let name = fitting(&schema.name);
        let schema = match strict::narrowed(&schema.schema) {
            Some(narrowed) => json!({ "name": name, "strict": true, "schema": narrowed }),
            None => json!({ "name": name, "schema": schema.schema }),
        };
        json!({ "type": "json_schema", "json_schema": schema })
    });
    Ok(object_of_some([
        ("model", Some(asked.model.into())),
        ("messages", Some(messages(asked)?.into())),
        (max_tokens, Some(asked.request.max_tokens.into())),
        ("temperature", asked.temperature().map(Value::from)),
        ("stop", asked.stop_sequences()),
        ("response_format", format),
        ("tools", asked.has_tools().then(|| tools(asked).into())),
        ("tool_choice", asked.tool_choice().map(|choice| choice.as_str().into())),
    ]))
}

/// Returns the tools in OpenAI's format, which Ollama uses too.
pub(super) fn tools(asked: &ModelRequest<'_>) -> Vec<Value> {
    let tool = |tool: &SamplingTool| {
        json!({
            "type": "function",
            "function": {
                "name": asked.names.sent(&tool.name),
                "description": tool.description,
                "parameters": tool.input_schema,
            },
        })
    };
    asked.tools().iter().map(tool).collect()
}

fn messages(asked: &ModelRequest<'_>) -> Result<Vec<Value>, Failure> {
    let mut messages = Vec::new();
    if let Some(system) = asked.system_prompt() {
        messages.push(json!({ "role": "system", "content": system }));
    }
    for message in &asked.request.messages {
        match message.role {
            Role::User => user(asked, message, &mut messages)?,
            Role::Assistant => messages.push(assistant(asked, message)?),
        }
    }
    Ok(messages)
}

/// Adds a message of the user. Each tool result becomes a separate message.
fn user(asked: &ModelRequest<'_>, message: &SamplingMessage, messages: &mut Vec<Value>) -> Result<(), Failure> {
    let rest = split_results(
        message,
        messages,
        |result, text| json!({ "role": "tool", "tool_call_id": result.tool_use_id, "content": text }),
    );
    if rest.is_empty() {
        return Ok(());
    }
    let content = if is_text_alone(&rest) {
        joined(&rest).into()
    } else {
        Value::Array(rest.iter().map(|part| block(asked, part)).collect::<Result<_, _>>()?)
    };
    messages.push(json!({ "role": "user", "content": content }));
    Ok(())
}

fn block(asked: &ModelRequest<'_>, part: &SamplingContent) -> Result<Value, Failure> {
    Ok(match part {
        SamplingContent::Text(text) => json!({ "type": "text", "text": text }),
        SamplingContent::Image { data, mime_type } => {
            json!({ "type": "image_url", "image_url": { "url": format!("data:{mime_type};base64,{data}") } })
        }
        SamplingContent::Audio { data, mime_type } => {
            let format = match mime_type.as_str() {
                "audio/wav" | "audio/x-wav" | "audio/wave" | "audio/vnd.wave" => "wav",
                "audio/mpeg" | "audio/mp3" => "mp3",
                other => return Err(asked.not_supported("sounds", other)),
            };
            json!({ "type": "input_audio", "input_audio": { "data": data, "format": format } })
        }
        SamplingContent::ToolUse(_) | SamplingContent::ToolResult(_) => {
            return Err(Failure::NotSupported("a user message cannot contain tool calls".to_owned()));
        }
    })
}

fn assistant(asked: &ModelRequest<'_>, message: &SamplingMessage) -> Result<Value, Failure> {
    let mut calls = Vec::new();
    for part in &message.content {
        match part {
            SamplingContent::ToolUse(call) => {
                let name = asked.names.sent(&call.name);
                let arguments = Value::from(call.input.clone()).to_string();
                let function = json!({ "name": name, "arguments": arguments });
                calls.push(json!({ "id": call.id, "type": "function", "function": function }));
            }
            SamplingContent::Image { mime_type, .. } => {
                return Err(asked.not_supported("images from the model", mime_type));
            }
            SamplingContent::Audio { mime_type, .. } => {
                return Err(asked.not_supported("audio from the model", mime_type));
            }
            SamplingContent::Text(_) | SamplingContent::ToolResult(_) => {}
        }
    }
    let text = Some(joined(&message.content)).filter(|text| !text.is_empty() || calls.is_empty());
    let calls = (!calls.is_empty()).then(|| calls.into());
    Ok(object_of_some([("role", Some("assistant".into())), ("content", Some(text.into())), ("tool_calls", calls)]))
}

#[derive(Deserialize)]
pub(super) struct ChatCompletion {
    model: Option<String>,
    #[serde(default)]
    choices: Vec<OpenAiChoice>,
    usage: Option<OpenAiUsage>,
    /// The error of the answer. Some gateways report an error with status 200.
    error: Option<Value>,
}

#[derive(Deserialize)]
struct OpenAiChoice {
    message: OpenAiMessage,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct OpenAiMessage {
    content: Option<OpenAiText>,
    refusal: Option<String>,
    tool_calls: Option<Vec<ModelCall>>,
}

/// The text of a message. Most servers send a string, but some send a list of parts.
#[derive(Deserialize)]
#[serde(untagged)]
enum OpenAiText {
    One(String),
    Parts(Vec<OpenAiPart>),
}

#[derive(Deserialize)]
struct OpenAiPart {
    text: Option<String>,
}

#[derive(Deserialize)]
struct OpenAiUsage {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
}

pub(super) fn read(asked: &ModelRequest<'_>, completion: ChatCompletion) -> Result<Sampled, Failure> {
    if let Some(error) = completion.error {
        let said = error.get("message").and_then(Value::as_str).map_or_else(|| error.to_string(), str::to_owned);
        return Err(Failure::InvalidReply(asked.secrets.quote(&said)));
    }
    let Some(OpenAiChoice { message, finish_reason }) = completion.choices.into_iter().next() else {
        return Err(Failure::InvalidReply("it contains no message".to_owned()));
    };
    let mut reply = ModelReply::new(asked);
    match message.content {
        Some(OpenAiText::One(text)) => reply.text(text),
        Some(OpenAiText::Parts(parts)) => {
            parts.into_iter().filter_map(|part| part.text).for_each(|text| reply.text(text));
        }
        None => {}
    }
    let refusal = message.refusal.unwrap_or_default();
    let refused = !refusal.is_empty();
    reply.text(refusal);
    reply.calls(message.tool_calls);
    let stop = finish_reason.map(|reason| match reason.as_str() {
        "stop" if refused => StopReason::Other("refusal".to_owned()),
        "stop" => StopReason::EndTurn,
        "length" => StopReason::MaxTokens,
        "tool_calls" | "function_call" => StopReason::ToolUse,
        _ => StopReason::Other(reason),
    });
    let usage = completion.usage.map(|usage| {
        TokenUsage::new(usage.prompt_tokens.unwrap_or_default(), usage.completion_tokens.unwrap_or_default())
    });
    Ok(reply.done(completion.model, stop, usage))
}
