//! Builds the request for a kind of reply. Uses the native features of the model, or describes the format in the
//! prompt.

use std::fmt::Write;

use super::{
    expected::{ANSWER, ExpectedSchema},
    offer::Offer,
    provider::ProviderAbilities,
};
use crate::wire::protocol::{
    content::Content,
    sampling::{
        ResponseSchema, Role, SamplingContent, SamplingMessage, SamplingRequest, SamplingTool, ToolChoice, ToolResult,
    },
};

/// The kind of reply that is requested.
#[derive(Clone, Copy)]
pub(super) enum ReplyKind<'w> {
    Text,
    Value(&'w ExpectedSchema),
    Calls(&'w Offer, ToolChoice),
}

impl ReplyKind<'_> {
    /// Returns the request for a model with these abilities. `prompt` has the messages and the options of the author's
    /// request, without tools and without a schema.
    pub(super) fn request(self, prompt: &SamplingRequest, can: ProviderAbilities) -> SamplingRequest {
        let mut request = prompt.clone();
        let words = match self {
            Self::Text => None,
            Self::Value(expected) if can.schema => {
                request.schema = Some(expected.response_schema());
                None
            }
            Self::Value(expected) if can.tools => {
                let description = "Gives the answer. Call this, and say nothing else.";
                let tool = SamplingTool::new(ANSWER, description).input_schema(expected.published.clone());
                request.tools = vec![tool];
                request.tool_choice = Some(ToolChoice::Required);
                None
            }
            Self::Value(expected) => Some(format!(
                "Answer with JSON alone, no other words. It must fit this JSON schema:\n{}",
                expected.published
            )),
            Self::Calls(offer, choice) if can.tools => {
                request.tools = offer.tools.clone();
                request.tool_choice = Some(choice);
                None
            }
            Self::Calls(offer, ToolChoice::Required) if can.schema => {
                request.schema = Some(ResponseSchema { name: "call".to_owned(), schema: offer.schema() });
                Some(listed(offer, "Call one of these tools:"))
            }
            Self::Calls(_, ToolChoice::None) => None,
            Self::Calls(offer, choice) => Some(described(offer, choice)),
        };
        if request.tools.is_empty() {
            request.messages = calls_in_words(request.messages);
        }
        if let Some(words) = words {
            add(&mut request.messages, words);
        }
        request
    }
}

/// Appends text to the last message of the user, because clients can ignore a system prompt.
fn add(messages: &mut Vec<SamplingMessage>, words: String) {
    match messages.last_mut() {
        Some(SamplingMessage { role: Role::User, content }) => match content.last_mut() {
            Some(SamplingContent::Text(text)) => {
                text.push_str("\n\n");
                text.push_str(&words);
            }
            _ => content.push(SamplingContent::Text(words)),
        },
        _ => messages.push(SamplingMessage::new(Role::User, vec![SamplingContent::Text(words)])),
    }
}

fn described(offer: &Offer, choice: ToolChoice) -> String {
    let form = "`{\"tool\": \"its name\", \"input\": {…}}`, or a list of these for several calls";
    let head = if choice == ToolChoice::Required {
        format!("Call one of these tools, or several. Answer with JSON alone, no other words: {form}.")
    } else {
        format!(
            "You may call these tools. To call one, answer with JSON alone, no other words: {form}. Else answer in words."
        )
    };
    listed(offer, &head)
}

fn listed(offer: &Offer, head: &str) -> String {
    let mut words = head.to_owned();
    for SamplingTool { name, description, input_schema, .. } in &offer.tools {
        let _ = write!(words, "\n\n- {name}: {description}\n  input: {input_schema}");
    }
    words
}

/// Rewrites calls and results as text, for a request without tools.
fn calls_in_words(messages: Vec<SamplingMessage>) -> Vec<SamplingMessage> {
    let rewrite = |part: SamplingContent| match part {
        SamplingContent::ToolUse(call) => {
            let call = serde_json::json!({ "tool": call.name, "input": call.input });
            vec![SamplingContent::Text(call.to_string())]
        }
        SamplingContent::ToolResult(result) => result_in_words(result),
        part => vec![part],
    };
    let is_of_tools =
        |part: &SamplingContent| matches!(part, SamplingContent::ToolUse(_) | SamplingContent::ToolResult(_));
    let rewrite_message = |message: SamplingMessage| {
        if !message.content.iter().any(is_of_tools) {
            return message;
        }
        SamplingMessage::new(message.role, joined(message.content.into_iter().flat_map(rewrite)))
    };
    messages.into_iter().map(rewrite_message).collect()
}

/// Joins consecutive texts, because in old revisions each text would become a message of its own.
fn joined(parts: impl Iterator<Item = SamplingContent>) -> Vec<SamplingContent> {
    let mut joined = Vec::<SamplingContent>::new();
    for part in parts {
        match (joined.last_mut(), part) {
            (Some(SamplingContent::Text(text)), SamplingContent::Text(more)) => {
                text.push('\n');
                text.push_str(&more);
            }
            (_, part) => joined.push(part),
        }
    }
    joined
}

fn result_in_words(result: ToolResult) -> Vec<SamplingContent> {
    let ToolResult { tool_use_id, content, is_error, .. } = result;
    let head = if is_error { "The call failed" } else { "The call gave" };
    let mut parts: Vec<_> = content.into_iter().map(<SamplingContent as From<Content>>::from).collect();
    match parts.first_mut() {
        Some(SamplingContent::Text(text)) => *text = format!("{head} ({tool_use_id}): {text}"),
        Some(_) => parts.insert(0, SamplingContent::Text(format!("{head} ({tool_use_id}):"))),
        None => parts.push(SamplingContent::Text(format!("{head} ({tool_use_id}): nothing"))),
    }
    parts
}
