//! A model's replies in a script.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::request::object;
use crate::{
    engine::sample::{ANSWER, Sampled},
    serve::client::Question,
    wire::protocol::sampling::{sampled_text, write_create_message},
};

/// The name of the scripted client's model.
const MODEL: &str = "scripted";

/// A model's reply, independent of its format on the wire.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ModelAnswer {
    Text(String),
    /// A value. It is sent as a call of the answer tool, or as JSON in a text.
    Value(Value),
    /// Tool calls. They are sent natively, or as JSON in a text.
    Calls(Vec<SampledCall>),
    Whole(Sampled),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SampledCall {
    name: String,
    input: Map<String, Value>,
}

impl ModelAnswer {
    #[track_caller]
    pub(crate) fn value(value: impl Serialize) -> Self {
        match serde_json::to_value(value) {
            Ok(value) => Self::Value(value),
            Err(error) => panic!("the value that is sampled cannot be written as JSON: {error}"),
        }
    }

    /// Returns the reply to this question as a `CreateMessageResult`.
    pub(crate) fn to(&self, question: &Question) -> Value {
        let tools = question.tools();
        match (self, &tools[..]) {
            (Self::Text(text), _) => sampled(text),
            (Self::Whole(reply), _) => whole(reply),
            (Self::Value(value), []) => sampled(&value.to_string()),
            (Self::Value(value), [tool, ..]) => {
                let input = if value.is_object() { value.clone() } else { json!({ "value": value }) };
                calls(question, [(*tool, &input)])
            }
            (Self::Calls(all), []) => {
                let all: Vec<_> =
                    all.iter().map(|SampledCall { name, input }| json!({ "tool": name, "input": input })).collect();
                sampled(&if let [one] = &all[..] { one.to_string() } else { json!(all).to_string() })
            }
            (Self::Calls(all), _) => calls(question, all.iter().map(|call| (&*call.name, &call.input))),
        }
    }

    /// Returns why the reply does not fit the question, or `None` if it fits.
    pub(crate) fn misfit(&self, question: &Question) -> Option<String> {
        let tools = question.tools();
        let wants_value = tools.is_empty() || tools == [ANSWER];
        (matches!(self, Self::Value(_)) && !wants_value)
            .then(|| format!("offers the tools `{}` and does not ask for a value", tools.join("`, `")))
    }
}

impl SampledCall {
    #[track_caller]
    pub(crate) fn new(name: String, input: impl Serialize) -> Self {
        Self { name, input: object("the input of a call", input).unwrap_or_default() }
    }
}

/// Returns a reply with a text.
pub(crate) fn sampled(text: &str) -> Value {
    sampled_text(text, MODEL)
}

fn calls<'a>(question: &Question, calls: impl IntoIterator<Item = (&'a str, &'a (impl Serialize + 'a))>) -> Value {
    let block = |(index, (name, input)): (usize, (&str, _))| {
        // The id is the same in every mode, and differs from the ids of earlier questions.
        let id = format!("{} {}", question.key(), index + 1);
        json!({ "type": "tool_use", "id": id, "name": name, "input": input })
    };
    result(one_or_several(calls.into_iter().enumerate().map(block).collect()), "toolUse")
}

fn whole(reply: &Sampled) -> Value {
    let mut result = write_create_message(reply);
    if let Some(members) = result.as_object_mut()
        && let Some(Value::Array(blocks)) = members.remove("content")
    {
        members.insert("content".to_owned(), one_or_several(blocks));
    }
    result
}

/// Returns the blocks as a list. If there is only one block, returns the block without a list, because older revisions
/// do not allow a list.
fn one_or_several(mut blocks: Vec<Value>) -> Value {
    if blocks.len() == 1 { blocks.remove(0) } else { blocks.into() }
}

fn result(content: impl Into<Value>, stop_reason: &str) -> Value {
    json!({ "role": "assistant", "content": content.into(), "model": MODEL, "stopReason": stop_reason })
}

impl fmt::Display for ModelAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "`sampled` {text:?}"),
            Self::Value(value) => write!(f, "`sampled_value` {value}"),
            Self::Calls(calls) => {
                let names: Vec<_> = calls.iter().map(|call| format!("`{}`", call.name)).collect();
                write!(f, "`sampled_tool` {}", names.join(", "))
            }
            Self::Whole(reply) => write!(f, "`sampled_as` {:?}", reply.text),
        }
    }
}
