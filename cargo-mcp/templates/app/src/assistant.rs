//! Decides what to do with a message: answers it, or calls tools.

use mcp_runtime::{
    providers::Model,
    sample::{Messages, SamplingContent, SamplingProvider as _, SamplingRequest},
};
use serde::Deserialize;
use serde_json::Value;

use mcp_runtime::plugin::PluginHost;

const PART: &str = "You are a helpful assistant. Call a tool if it can do what the user wants. The tools ask the user \
                    themselves for what they need, so do not ask first.";

/// A line of the conversation, as the page sends it.
#[derive(Deserialize)]
pub struct Line {
    role: Role,
    text: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    User,
    Assistant,
}

/// What the assistant says, and the tools that it calls.
#[derive(Default)]
pub struct Reply {
    pub text: String,
    pub calls: Vec<(String, Value)>,
}

/// Replies to the last line of a conversation.
pub async fn reply(model: Option<&Model>, host: &PluginHost, lines: &[Line]) -> Reply {
    match model {
        Some(model) => ask(model, host, lines).await,
        None => read(
            host,
            lines.last().map(|line| &*line.text).unwrap_or_default(),
        ),
    }
}

/// Asks the model.
async fn ask(model: &Model, host: &PluginHost, lines: &[Line]) -> Reply {
    let messages = lines
        .iter()
        .fold(Messages::new(), |messages, line| match line.role {
            Role::User => messages.user(&*line.text),
            Role::Assistant => messages.assistant(&*line.text),
        });
    let mut request = SamplingRequest::new(messages, 1024);
    request.system_prompt = Some(PART.to_owned());
    request.tools = host.sampling_tools();
    match model.sample(&request).await {
        Ok(reply) => {
            let uses = reply
                .content
                .iter()
                .filter_map(SamplingContent::as_tool_use);
            let calls = uses
                .map(|tool| (tool.name.clone(), Value::Object(tool.input.clone())))
                .collect();
            Reply {
                text: reply.text,
                calls,
            }
        }
        Err(error) => Reply {
            text: error.to_string(),
            ..Reply::default()
        },
    }
}

/// Reads the name of a tool and its arguments, for a chat without a model.
fn read(host: &PluginHost, text: &str) -> Reply {
    let (name, arguments) = text
        .trim()
        .split_once(char::is_whitespace)
        .unwrap_or((text.trim(), "{}"));
    let tools = host.sampling_tools();
    let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
    let text = if !names.contains(&name) {
        format!(
            "No model is configured. Write the name of a tool and its arguments as JSON. The tools: {names:?}."
        )
    } else {
        match serde_json::from_str(arguments) {
            Ok(arguments) => {
                return Reply {
                    calls: vec![(name.to_owned(), arguments)],
                    ..Reply::default()
                };
            }
            Err(error) => format!("The arguments of `{name}` are not JSON: {error}."),
        }
    };
    Reply {
        text,
        ..Reply::default()
    }
}
