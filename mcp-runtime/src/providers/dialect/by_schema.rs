//! Calls of tools as JSON of a schema: for models that call none themselves, or cannot be made to.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Asked;
use crate::sample::{SamplingTool, ToolChoice};

/// A call of one of the tools, or a reply in words where none is demanded.
pub(super) fn schema(asked: &Asked<'_>) -> Value {
    let mut ways: Vec<_> = asked.tools().iter().map(|tool| call(asked, tool)).collect();
    if asked.tool_choice() != Some(ToolChoice::Required) {
        ways.push(object(&json!({ "reply": { "type": "string" } })));
    }
    json!({ "anyOf": ways })
}

/// The same in words, for the system's prompt.
pub(super) fn words(asked: &Asked<'_>) -> String {
    let mut words = "You can call these tools:\n".to_owned();
    for tool in asked.tools() {
        let name = asked.names.sent(&tool.name);
        words.push_str(&format!("- {name}: {} Arguments: {}\n", tool.description, tool.input_schema));
    }
    words.push_str("To call one, answer with JSON alone: {\"name\": its name, \"arguments\": {…}}.");
    if asked.tool_choice() != Some(ToolChoice::Required) {
        words.push_str(" To say something instead: {\"reply\": your words}.");
    }
    words
}

pub(super) enum Answer {
    Call { name: String, arguments: Value },
    Words(String),
}

/// What is neither is words as well.
pub(super) fn read(text: String) -> Answer {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Call { name: String, arguments: Value },
        Reply { reply: String },
    }
    match serde_json::from_str(&text) {
        Ok(Either::Call { name, arguments }) => Answer::Call { name, arguments },
        Ok(Either::Reply { reply }) => Answer::Words(reply),
        Err(_) => Answer::Words(text),
    }
}

fn call(asked: &Asked<'_>, tool: &SamplingTool) -> Value {
    // References are to the root of the tool's own schema, and would lead elsewhere here.
    let refers = tool.input_schema.to_string().contains("\"$ref\"");
    let arguments = if refers { json!({ "type": "object" }) } else { tool.input_schema.clone() };
    object(&json!({ "name": { "type": "string", "enum": [asked.names.sent(&tool.name)] }, "arguments": arguments }))
}

/// All of these, and nothing else.
fn object(properties: &Value) -> Value {
    let required: Vec<_> = properties.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}
