//! The tools offered to a model, and the calls in its reply.

use std::{borrow::Cow, collections::HashSet};

use serde_json::{Map, Value, json};

use super::{
    expected::unfit,
    find::candidates,
    reply::{ParseError, ToolCall},
    tools::no_such_tool,
};
use crate::{
    engine::{call::AskError, tool::host_warnings::is_name},
    wire::{
        protocol::sampling::{Sampled, SamplingContent, SamplingTool, StopReason, ToolUse},
        schema::InputSchema,
    },
};

/// The tools offered to a model, and the schemas that check the inputs of the model's calls.
pub(super) struct Offer {
    pub(super) tools: Vec<SamplingTool>,
    checkers: Vec<InputSchema>,
}

impl Offer {
    /// # Errors
    /// Fails if the list of tools is empty, or if a tool is invalid.
    pub(super) fn new(tools: Vec<SamplingTool>) -> Result<Self, AskError> {
        let problem = |tool: &str, problem: &str| Err(AskError::Question(format!("the tool `{tool}`: {problem}")));
        if tools.is_empty() {
            return Err(AskError::Question("the list of tools is empty; offer at least one tool".to_owned()));
        }
        let (mut published, mut checkers) = (Vec::<SamplingTool>::with_capacity(tools.len()), Vec::new());
        for SamplingTool { name, description, input_schema, aliases } in tools {
            if !is_name(&name) {
                return problem(&name, "a name has 1 to 64 letters, digits, `_` and `-`");
            }
            if published.iter().any(|other| other.name == name) {
                return problem(&name, "two tools have this name");
            }
            let checker = match InputSchema::new(input_schema) {
                Ok(checker) => checker.with_aliases(aliases),
                Err(problems) => return problem(&name, &problems.join("; ")),
            };
            published.push(SamplingTool { name, description, input_schema: checker.to_value(), aliases: Vec::new() });
            checkers.push(checker);
        }
        Ok(Self { tools: published, checkers })
    }

    /// Returns the schema of one call, for a model that supports schemas but not tools.
    pub(super) fn schema(&self) -> Value {
        let call = |tool: &SamplingTool| {
            json!({
                "type": "object",
                "description": tool.description,
                "properties": { "tool": { "type": "string", "enum": [tool.name] }, "input": tool.input_schema },
                "required": ["tool", "input"],
                "additionalProperties": false,
            })
        };
        let mut calls: Vec<Value> = self.tools.iter().map(call).collect();
        let call = if calls.len() == 1 { calls.remove(0) } else { json!({ "anyOf": calls }) };
        json!({ "type": "object", "properties": { "call": call }, "required": ["call"], "additionalProperties": false })
    }

    /// If the model wrote tool calls as text, converts them into native calls, so that later code handles native calls
    /// only.
    pub(super) fn with_written_calls(&self, mut reply: Sampled) -> Sampled {
        if reply.tool_uses().next().is_some() {
            make_ids_unique(&mut reply.content);
            return reply;
        }
        let mut calls = Vec::new();
        for value in candidates(&reply.text).into_iter().filter_map(|text| serde_json::from_str(text).ok()) {
            self.add_calls(value, &mut calls);
            if !calls.is_empty() {
                break;
            }
        }
        if !calls.is_empty() {
            reply.content = calls.into_iter().map(SamplingContent::ToolUse).collect();
            if !reply.is_cut_off() {
                reply.stop_reason = Some(StopReason::ToolUse);
            }
        }
        reply
    }

    /// Appends the tool calls in a JSON value to `calls`. Accepts the various notations that models use.
    fn add_calls(&self, value: Value, calls: &mut Vec<ToolUse>) {
        let mut object = match value {
            Value::Array(values) => return values.into_iter().for_each(|value| self.add_calls(value, calls)),
            Value::Object(object) => object,
            _ => return,
        };
        if let Some(inner) = ["call", "calls", "tool_calls", "function"].iter().find_map(|name| object.remove(*name)) {
            return self.add_calls(inner, calls);
        }
        let tool = object.remove("tool");
        let has_tool_member = tool.is_some();
        let Some(Value::String(name)) = tool.or_else(|| object.remove("name")) else { return };
        let input = ["input", "arguments", "parameters"].iter().find_map(|member| object.remove(*member));
        // Many objects that are not calls also have a member `name`.
        if !has_tool_member && input.is_none() && self.tools.iter().all(|tool| tool.name != name) {
            return;
        }
        let input = match input {
            Some(Value::Object(input)) => input,
            // Some APIs encode the input as a string.
            Some(Value::String(text)) => serde_json::from_str(&text).unwrap_or_default(),
            Some(_) => return,
            None => Map::new(),
        };
        let id = format!("call_{}", calls.len() + 1);
        calls.push(ToolUse { id, name, input });
    }

    /// Reads each tool call of a reply as an `E`.
    pub(super) fn calls<E>(
        &self,
        reply: &Sampled,
        max_tokens: u32,
        read: ReadCall<E>,
    ) -> Vec<ToolCall<Result<E, ParseError>>> {
        reply
            .tool_uses()
            .map(|call| {
                let parsed = self.read(call, read).map_err(|problem| unfit(reply, max_tokens, problem));
                ToolCall { parsed, tool_use: call.clone() }
            })
            .collect()
    }

    fn read<E>(&self, call: &ToolUse, read: ReadCall<E>) -> Result<E, String> {
        let Some(index) = self.tools.iter().position(|tool| tool.name == call.name) else {
            return Err(no_such_tool(&call.name, self.tools.iter().map(|tool| &*tool.name)));
        };
        let input = Value::Object(call.input.clone());
        let invalid = |problem: String| format!("invalid input of `{}`:\n{problem}", call.name);
        let text = input.to_string();
        let checked = self.checkers[index].checked(&text).map_err(|violations| invalid(violations.to_string()))?;
        let input = match checked {
            Cow::Owned(text) => serde_json::from_str(&text).unwrap_or_else(|_| call.input.clone()),
            Cow::Borrowed(_) => call.input.clone(),
        };
        read(&call.name, input).map_err(|problem| invalid(format!("- {problem}")))
    }
}

/// Makes the ids of tool calls unique. Some models write no ids, or the same id for all calls.
fn make_ids_unique(content: &mut [SamplingContent]) {
    let mut ids = HashSet::new();
    let mut number = 0;
    for part in content {
        let SamplingContent::ToolUse(call) = part else { continue };
        while call.id.is_empty() || ids.contains(&call.id) {
            number += 1;
            call.id = format!("call_{number}");
        }
        ids.insert(call.id.clone());
    }
}

/// A function that reads a tool call as an `E`, from the tool's name and the input.
pub(super) type ReadCall<E> = fn(&str, Map<String, Value>) -> Result<E, String>;
