//! Builds a reply from the response of an API.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::ModelRequest;
use crate::engine::sample::{Sampled, SamplingContent, StopReason, TokenUsage, ToolUse};

pub(super) struct ModelReply<'a> {
    asked: &'a ModelRequest<'a>,
    content: Vec<SamplingContent>,
    /// The call ids of the conversation and of this reply.
    ids: HashSet<String>,
}

/// A tool call in OpenAI's format, which other APIs use too.
#[derive(Deserialize)]
pub(super) struct ModelCall {
    id: Option<String>,
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    arguments: Value,
}

impl<'a> ModelReply<'a> {
    pub(super) fn new(asked: &'a ModelRequest<'a>) -> Self {
        let calls = asked.request.messages.iter().flat_map(|message| &message.content);
        let ids = calls.filter_map(SamplingContent::as_tool_use).map(|call| call.id.clone()).collect();
        Self { asked, content: Vec::new(), ids }
    }

    /// Adds a text to the reply, unless the text is empty.
    pub(super) fn text(&mut self, text: String) {
        if !text.is_empty() {
            self.content.push(SamplingContent::Text(text));
        }
    }

    /// Adds a tool call to the reply. If the arguments cannot be parsed, adds the call as text. The author then sees
    /// what the model wrote. When the model is asked again, it sees this text too.
    pub(super) fn call(&mut self, id: Option<String>, name: &str, arguments: Value) {
        let name = self.asked.names.meant(name).to_owned();
        match input(arguments) {
            Ok(input) => {
                let call = ToolUse::new(self.id(id), name, input);
                self.content.push(SamplingContent::ToolUse(call));
            }
            Err(arguments) => self.text(format!("{name}({arguments})")),
        }
    }

    /// Adds all tool calls of a message to the reply.
    pub(super) fn calls(&mut self, calls: Option<Vec<ModelCall>>) {
        for ModelCall { id, function: Function { name, arguments } } in calls.into_iter().flatten() {
            self.call(id, &name, arguments);
        }
    }

    /// Finishes the reply. `stop` is the API's stop reason, which is corrected if it does not fit the content.
    pub(super) fn done(self, model: Option<String>, stop: Option<StopReason>, usage: Option<TokenUsage>) -> Sampled {
        let calls = self.content.iter().any(|part| part.as_tool_use().is_some());
        let stop = match stop {
            // Servers report different reasons for a reply with calls. A truncated reply keeps its reason.
            Some(StopReason::EndTurn | StopReason::StopSequence) | None if calls => Some(StopReason::ToolUse),
            Some(StopReason::ToolUse) if !calls => Some(StopReason::EndTurn),
            stop => stop,
        };
        let mut sampled = Sampled::new(self.content, self.asked.model(model));
        sampled.stop_reason = stop;
        sampled.usage = usage;
        sampled
    }

    /// Returns the id of a call. If the server sent no id, or an id that is already in use, creates a new one.
    fn id(&mut self, given: Option<String>) -> String {
        let given = given.filter(|id| !id.is_empty() && !self.ids.contains(id));
        let id = given.unwrap_or_else(|| {
            let mut number = self.ids.len() + 1;
            while self.ids.contains(&format!("call_{number}")) {
                number += 1;
            }
            format!("call_{number}")
        });
        self.ids.insert(id.clone());
        id
    }
}

/// Reads arguments, which are an object or the JSON text of an object.
fn input(arguments: Value) -> Result<Map<String, Value>, String> {
    match arguments {
        Value::Object(input) => Ok(input),
        Value::Null => Ok(Map::new()),
        Value::String(text) if text.trim().is_empty() => Ok(Map::new()),
        Value::String(text) => serde_json::from_str(&text).map_err(|_| text),
        other => Err(other.to_string()),
    }
}
