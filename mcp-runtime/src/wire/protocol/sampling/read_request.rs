//! Reads the `params` of `sampling/createMessage`, as a client does that passes them to a model.

use serde_json::Value;

use super::{Role, SamplingMessage, SamplingRequest, SamplingTool, ToolChoice, read_blocks};

/// The number of tokens if the request has none.
const MAX_TOKENS: u32 = 1024;

/// Reads a request. Results of tools are read as text, and preferences of models are left out.
///
/// # Errors
/// Returns a description of the first fault.
pub(crate) fn read_create_message_params(params: &Value) -> Result<SamplingRequest, String> {
    let listed = |member: &str| params[member].as_array().map(Vec::as_slice).unwrap_or_default();
    let messages: Result<Vec<_>, _> = listed("messages").iter().map(message).collect();
    let tools = listed("tools").iter().map(|tool| {
        let text = |member: &str| tool[member].as_str().unwrap_or_default();
        SamplingTool::new(text("name"), text("description")).input_schema(tool["inputSchema"].clone())
    });
    Ok(SamplingRequest {
        messages: messages?,
        system_prompt: params["systemPrompt"].as_str().map(str::to_owned),
        max_tokens: params["maxTokens"].as_u64().and_then(|most| u32::try_from(most).ok()).unwrap_or(MAX_TOKENS),
        temperature: params["temperature"].as_f64(),
        stop_sequences: listed("stopSequences").iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        model_preferences: None,
        tools: tools.collect(),
        tool_choice: match params["toolChoice"]["mode"].as_str() {
            Some("auto") => Some(ToolChoice::Auto),
            Some("required") => Some(ToolChoice::Required),
            Some("none") => Some(ToolChoice::None),
            _ => None,
        },
        schema: None,
    })
}

fn message(message: &Value) -> Result<SamplingMessage, String> {
    let role = match message["role"].as_str() {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        _ => return Err(format!("a message has the role `{}`; roles are `user` and `assistant`", message["role"])),
    };
    let blocks = match &message["content"] {
        Value::Array(blocks) => blocks.iter().map(without_result).collect(),
        block => without_result(block),
    };
    Ok(SamplingMessage { role, content: read_blocks(blocks)? })
}

/// Returns the text of a tool's result in place of the result.
fn without_result(block: &Value) -> Value {
    if block["type"] != "tool_result" {
        return block.clone();
    }
    let texts = block["content"].as_array().into_iter().flatten().filter_map(|block| block["text"].as_str());
    serde_json::json!({ "type": "text", "text": texts.collect::<Vec<_>>().join("\n") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::protocol::{
        revision::Revision,
        sampling::{SamplingContent, create_message_params},
    };

    #[test]
    fn reads_what_a_server_writes() {
        let mut request = read_create_message_params(&serde_json::json!({
            "messages": [{ "role": "user", "content": { "type": "text", "text": "What is this?" } }],
        }))
        .unwrap();
        request.system_prompt = Some("Be brief.".to_owned());
        request.tool_choice = Some(ToolChoice::Required);
        request.tools.push(SamplingTool::new("answer", "The answer."));
        request.messages.push(SamplingMessage {
            role: Role::Assistant,
            content: vec![SamplingContent::Text("A".to_owned()), SamplingContent::Text("cat.".to_owned())],
        });
        let written = create_message_params(Revision::LATEST, &request);
        let read = read_create_message_params(&serde_json::from_str(&written).unwrap()).unwrap();
        assert_eq!(format!("{read:?}"), format!("{request:?}"));
    }
}
