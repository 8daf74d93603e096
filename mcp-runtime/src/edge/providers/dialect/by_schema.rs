//! Tool calls as JSON text, for models that cannot call tools or cannot be forced to call a tool. A schema describes
//! the JSON.

use serde::Deserialize;
use serde_json::{Value, json};

use super::ModelRequest;
use crate::engine::sample::{SamplingTool, ToolChoice};

/// Returns a schema that accepts a call of any tool. If a call is not required, the schema also accepts a text reply.
pub(super) fn schema(asked: &ModelRequest<'_>) -> Value {
    let mut ways: Vec<_> = asked.tools().iter().map(|tool| call(asked, tool)).collect();
    if asked.tool_choice() != Some(ToolChoice::Required) {
        ways.push(object(&json!({ "reply": { "type": "string" } })));
    }
    json!({ "anyOf": ways })
}

/// Returns text for the system prompt. The text describes the tools and the JSON format of a call.
pub(super) fn instructions(asked: &ModelRequest<'_>) -> String {
    let mut instructions = "You can call these tools:\n".to_owned();
    for tool in asked.tools() {
        let name = asked.names.sent(&tool.name);
        instructions.push_str(&format!("- {name}: {} Arguments: {}\n", tool.description, tool.input_schema));
    }
    instructions.push_str("To call one, answer with JSON alone: {\"name\": its name, \"arguments\": {…}}.");
    if asked.tool_choice() != Some(ToolChoice::Required) {
        instructions.push_str(" To say something instead: {\"reply\": your words}.");
    }
    instructions
}

/// What the model answers with JSON: a tool call, or a reply.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum SchemaAnswer {
    Call { name: String, arguments: Value },
    Words { reply: String },
}

/// Reads a tool call or a reply from the model's JSON text. If the text has another format, all of it is the reply.
pub(super) fn read(text: String) -> SchemaAnswer {
    serde_json::from_str(&text).unwrap_or(SchemaAnswer::Words { reply: text })
}

fn call(asked: &ModelRequest<'_>, tool: &SamplingTool) -> Value {
    // References are relative to the root of the tool's schema, so they would not resolve inside this schema.
    let refers = tool.input_schema.to_string().contains("\"$ref\"");
    let arguments = if refers { json!({ "type": "object" }) } else { tool.input_schema.clone() };
    object(&json!({ "name": { "type": "string", "enum": [asked.names.sent(&tool.name)] }, "arguments": arguments }))
}

/// Builds an object schema with exactly these properties, all required.
fn object(properties: &Value) -> Value {
    let required: Vec<_> = properties.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}
