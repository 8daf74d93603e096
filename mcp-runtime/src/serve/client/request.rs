//! The requests of a client.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json, value::RawValue};

#[cfg(feature = "remote")]
use crate::engine::call::passed_on::PassedOn;
#[cfg(any(feature = "dev", feature = "testing"))]
use crate::wire::protocol::sampling::sampled_text;
use crate::{
    engine::call::operation::Operation,
    wire::protocol::{
        json::{object, set},
        params::{Meta, Params},
        text::json_string,
    },
};

/// What a client asks of a server: the `params` of the first request, without the parts that every request has.
///
/// Arguments are sent as written, so large numbers keep their digits.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ClientRequest {
    Tool {
        name: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        arguments: Option<Box<RawValue>>,
    },
    Prompt {
        name: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        arguments: Option<Box<RawValue>>,
    },
    Resource {
        uri: String,
    },
    Completion(CompletedArgument),
    /// A task of the server: its status, the answers to its questions, or its cancellation.
    #[cfg(feature = "remote")]
    Task {
        #[serde(skip)]
        operation: Operation,
        #[serde(rename = "taskId")]
        id: String,
    },
    /// One page of a list.
    List {
        /// The method, such as `tools/list`.
        #[serde(skip)]
        method: &'static str,
        #[serde(skip_serializing_if = "Value::is_null")]
        cursor: Value,
    },
}

/// An argument of a prompt, or a variable of a template. Also holds the text that the user has typed.
#[derive(Clone, Debug)]
pub(crate) struct CompletedArgument {
    /// The name of the prompt, or the URI template.
    pub(crate) of: String,
    pub(crate) is_template: bool,
    pub(crate) name: String,
    pub(crate) typed: String,
    /// The arguments that the user has already filled in.
    pub(crate) filled: Map<String, Value>,
}

/// What the request of a round adds to the [`ClientRequest`]: the answers to the questions of the round before, and its
/// state.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RoundInput {
    /// The answers by the keys of their questions. `None` if there were no questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) input_responses: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) request_state: Option<String>,
    /// The idempotency key of a first request that may be sent twice.
    #[serde(skip)]
    pub(crate) idempotency_key: Option<String>,
    #[cfg(feature = "remote")]
    #[serde(skip)]
    pub(crate) passed_on: PassedOn,
}

/// The members of the `params` of one round, as the server parses them: each is JSON text.
pub(super) struct RoundMembers<'a> {
    name: Option<String>,
    arguments: Option<&'a str>,
    input_responses: Option<String>,
    request_state: Option<String>,
    idempotency_key: Option<String>,
    #[cfg(feature = "remote")]
    hops: Option<String>,
    #[cfg(feature = "remote")]
    trace: [Option<String>; 3],
    cursor: Option<String>,
    task_id: Option<String>,
    /// All members, for a method that reads them itself.
    text: String,
}

impl RoundInput {
    /// Changes the answers of the round, and keeps its state.
    #[cfg(any(feature = "dev", feature = "testing"))]
    pub(crate) fn with_other_answers(mut self) -> Self {
        for response in self.input_responses.iter_mut().flat_map(Map::values_mut) {
            *response = match &*response {
                response if response["action"] == "cancel" => json!({ "action": "decline" }),
                response if response.get("action").is_some() => json!({ "action": "cancel" }),
                response if response.get("role").is_some() => sampled_text("another reply", "another"),
                _ => json!({ "roots": [] }),
            };
        }
        self
    }
}

impl ClientRequest {
    /// Returns the JSON-RPC method.
    pub(crate) fn method(&self) -> &'static str {
        match self {
            Self::Tool { .. } => Operation::CallTool.method(),
            Self::Prompt { .. } => Operation::GetPrompt.method(),
            Self::Resource { .. } => Operation::ReadResource.method(),
            Self::Completion(_) => Operation::Complete.method(),
            #[cfg(feature = "remote")]
            Self::Task { operation, .. } => operation.method(),
            Self::List { method, .. } => method,
        }
    }

    /// Returns the members of the `params` of one round.
    pub(super) fn members<'a>(&'a self, input: &RoundInput) -> RoundMembers<'a> {
        let (name, arguments) = match self {
            Self::Tool { name, arguments } | Self::Prompt { name, arguments } => (Some(name), arguments.as_deref()),
            _ => (None, None),
        };
        let RoundInput { input_responses, request_state, idempotency_key, .. } = input;
        let written = |text: &Option<String>| text.as_deref().map(json_string);
        RoundMembers {
            name: name.map(|name| json_string(name)),
            arguments: arguments.map(RawValue::get),
            input_responses: input_responses.as_ref().map(|responses| json!(responses).to_string()),
            request_state: written(request_state),
            idempotency_key: written(idempotency_key),
            #[cfg(feature = "remote")]
            hops: Some(input.passed_on.hops.to_string()),
            #[cfg(feature = "remote")]
            trace: input.passed_on.trace_members().map(|(_, value)| value.map(json_string)),
            cursor: match self {
                Self::List { cursor, .. } => Some(cursor.to_string()),
                _ => None,
            },
            task_id: match self {
                #[cfg(feature = "remote")]
                Self::Task { id, .. } => Some(json_string(id)),
                _ => None,
            },
            // These methods read their params themselves. Every request can be written as JSON.
            text: match self {
                Self::Resource { .. } | Self::Completion(_) => serde_json::to_string(self).unwrap_or_default(),
                #[cfg(feature = "remote")]
                Self::Task { id, .. } => json!({ "taskId": id, "inputResponses": input_responses }).to_string(),
                _ => String::new(),
            },
        }
    }

    /// Returns about how many bytes its params have.
    #[cfg(feature = "remote")]
    pub(super) fn estimated_length(&self) -> usize {
        match self {
            Self::Tool { arguments, .. } | Self::Prompt { arguments, .. } => {
                arguments.as_ref().map_or(0, |arguments| arguments.get().len())
            }
            Self::Resource { .. } | Self::Completion(_) | Self::Task { .. } | Self::List { .. } => 0,
        }
    }

    /// Whether the caller follows a task with which the server answers, or the request is about a task.
    #[cfg(feature = "remote")]
    pub(crate) fn follows_tasks(&self) -> bool {
        matches!(self, Self::Tool { .. } | Self::Task { .. })
    }

    /// Whether the request is about an item that can ask questions and report progress.
    pub(super) fn is_call(&self) -> bool {
        matches!(self, Self::Tool { .. } | Self::Prompt { .. } | Self::Resource { .. })
    }
}

impl RoundMembers<'_> {
    pub(super) fn params(&self) -> Params<'_> {
        Params {
            text: &self.text,
            meta: self.meta(),
            name: self.name.as_deref(),
            arguments: self.arguments,
            input_responses: self.input_responses.as_deref(),
            request_state: self.request_state.as_deref(),
            cursor: self.cursor.as_deref(),
            task_id: self.task_id.as_deref(),
            ..Params::default()
        }
    }
}

#[cfg(not(feature = "remote"))]
impl RoundMembers<'_> {
    fn meta(&self) -> Meta<'_> {
        Meta { idempotency_key: self.idempotency_key.as_deref(), ..Meta::default() }
    }
}

#[cfg(feature = "remote")]
impl RoundMembers<'_> {
    fn meta(&self) -> Meta<'_> {
        let [traceparent, tracestate, baggage] = self.trace.each_ref().map(Option::as_deref);
        let (idempotency_key, hops) = (self.idempotency_key.as_deref(), self.hops.as_deref());
        Meta { idempotency_key, hops, traceparent, tracestate, baggage, ..Meta::default() }
    }
}

impl CompletedArgument {
    pub(crate) fn new(of: &str, is_template: bool, name: &str, typed: &str) -> Self {
        let [of, name, typed] = [of, name, typed].map(str::to_owned);
        Self { of, is_template, name, typed, filled: Map::new() }
    }
}

impl Serialize for CompletedArgument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { of, is_template, name, typed, filled } = self;
        let (kind, named_by) = if *is_template { ("ref/resource", "uri") } else { ("ref/prompt", "name") };
        let mut params = Map::new();
        set(&mut params, "ref", object([("type", kind.into()), (named_by, of.as_str().into())]));
        set(&mut params, "argument", object([("name", name.as_str().into()), ("value", typed.as_str().into())]));
        if !filled.is_empty() {
            set(&mut params, "context", object([("arguments", filled.clone().into())]));
        }
        params.serialize(serializer)
    }
}
