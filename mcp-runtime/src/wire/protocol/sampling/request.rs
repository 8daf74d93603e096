//! `SamplingRequest`: the request to a model.

use std::borrow::Cow;

use serde_json::Value;

use super::message::SamplingMessage;
use crate::wire::protocol::content::fraction;

/// A request to a model, as a [`SamplingProvider`](crate::sample::SamplingProvider) gets it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SamplingRequest {
    /// The conversation: at least one message.
    pub messages: Vec<SamplingMessage>,
    /// The instructions to the model.
    pub system_prompt: Option<String>,
    /// The maximum number of tokens in the reply.
    pub max_tokens: u32,
    /// The sampling temperature: 0 for the most deterministic reply.
    pub temperature: Option<f64>,
    /// Strings at which the model stops writing.
    pub stop_sequences: Vec<String>,
    /// The preferred model.
    pub model_preferences: Option<ModelPreferences>,
    /// The tools that the model can call. Only a provider that [supports
    /// tools](crate::sample::ProviderAbilities::tools) gets them.
    pub tools: Vec<SamplingTool>,
    /// Whether the model can, must or must not call a tool.
    pub tool_choice: Option<ToolChoice>,
    /// The schema that the reply must match. Only a provider that [supports
    /// schemas](crate::sample::ProviderAbilities::schema) gets a schema.
    pub schema: Option<ResponseSchema>,
}

/// A tool that a model can call in one request. It is not a tool of the server.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SamplingTool {
    /// The name.
    pub name: String,
    /// The description that the model reads.
    pub description: String,
    /// The JSON Schema of the input: an object.
    pub input_schema: Value,
    /// Aliases of arguments, each with the argument's name in the schema.
    pub(crate) aliases: Vec<(Cow<'static, str>, Cow<'static, str>)>,
}

/// A schema that a reply must match.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ResponseSchema {
    /// The name: letters, digits, `_` and `-`.
    pub name: String,
    /// The JSON Schema: an object.
    pub schema: Value,
}

/// Whether a model can, must or must not call a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolChoice {
    /// The model decides (`auto`).
    #[default]
    Auto,
    /// The model calls at least one tool (`required`).
    Required,
    /// The model sees the tools but cannot call them (`none`).
    None,
}

/// The preferred model. The client or the provider can choose another model.
///
/// ```
/// use mcp_runtime::sample::ModelPreferences;
///
/// let small_and_fast = ModelPreferences::new().hint("haiku").hint("mini").speed(1.0).intelligence(0.2);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ModelPreferences {
    /// Names of models or parts of names, best first.
    pub hints: Vec<String>,
    /// The importance of a low price, from 0 to 1.
    pub cost: Option<f64>,
    /// The importance of speed, from 0 to 1.
    pub speed: Option<f64>,
    /// The importance of ability, from 0 to 1.
    pub intelligence: Option<f64>,
}

impl ModelPreferences {
    /// Creates preferences that accept any model.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the name of a model, or a part of the name. The client or the provider uses the first name that matches.
    #[must_use]
    pub fn hint(mut self, name: impl Into<String>) -> Self {
        self.hints.push(name.into());
        self
    }

    /// Sets the importance of a low price, from 0 to 1. Values outside this range are clamped.
    #[must_use]
    pub fn cost(mut self, priority: f64) -> Self {
        self.cost = Some(fraction(priority));
        self
    }

    /// Sets the importance of speed, from 0 to 1. Values outside this range are clamped.
    #[must_use]
    pub fn speed(mut self, priority: f64) -> Self {
        self.speed = Some(fraction(priority));
        self
    }

    /// Sets the importance of ability, from 0 to 1. Values outside this range are clamped.
    #[must_use]
    pub fn intelligence(mut self, priority: f64) -> Self {
        self.intelligence = Some(fraction(priority));
        self
    }
}

impl ToolChoice {
    /// Returns the choice's name in the protocol.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Required => "required",
            Self::None => "none",
        }
    }
}

impl ResponseSchema {
    /// Creates a schema with this name.
    pub fn new(name: impl Into<String>, schema: impl Into<Value>) -> Self {
        Self { name: name.into(), schema: schema.into() }
    }
}

impl SamplingTool {
    /// Creates a tool without parameters.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        let input_schema = serde_json::json!({ "type": "object", "properties": {}, "additionalProperties": false });
        Self { name: name.into(), description: description.into(), input_schema, aliases: Vec::new() }
    }

    /// Sets the JSON Schema of the input; its root must be an object.
    #[must_use]
    pub fn input_schema(mut self, schema: impl Into<Value>) -> Self {
        self.input_schema = schema.into();
        self
    }

    /// Adds an alias of the argument `name`. The schema does not contain aliases.
    pub(crate) fn alias(mut self, alias: &'static str, name: &'static str) -> Self {
        self.aliases.push((alias.into(), name.into()));
        self
    }
}
