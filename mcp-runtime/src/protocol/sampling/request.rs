//! What a model is asked.

use std::borrow::Cow;

use serde_json::Value;

use super::message::SamplingMessage;

/// What a model is asked, as a [`SamplingProvider`](crate::sample::SamplingProvider) gets it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SamplingRequest {
    /// The conversation: one message at least.
    pub messages: Vec<SamplingMessage>,
    /// What the model is told of its part.
    pub system_prompt: Option<String>,
    /// How many tokens the reply may have.
    pub max_tokens: u32,
    /// How freely it chooses its words, 0 for not at all.
    pub temperature: Option<f64>,
    /// What it stops at when it writes it.
    pub stop_sequences: Vec<String>,
    /// Which model is wanted, as far as there is a choice.
    pub model_preferences: Option<ModelPreferences>,
    /// The tools it may call. Only for a provider that [can](crate::sample::ProviderAbilities::tools).
    pub tools: Vec<SamplingTool>,
    /// Whether it is to call one.
    pub tool_choice: Option<ToolChoice>,
    /// The schema its reply must fit. Only for a provider that [can](crate::sample::ProviderAbilities::schema).
    pub schema: Option<ResponseSchema>,
}

/// A tool that a model may call: only for one request, and no tool of the server.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SamplingTool {
    /// Its name.
    pub name: String,
    /// What the model reads.
    pub description: String,
    /// The JSON schema of its input: an object.
    pub input_schema: Value,
    /// Other names of arguments, and those of the schema they stand for.
    pub(crate) aliases: Vec<(Cow<'static, str>, Cow<'static, str>)>,
}

/// The schema that a reply must fit.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ResponseSchema {
    /// A name: letters, digits, `_` and `-`.
    pub name: String,
    /// The JSON schema: an object.
    pub schema: Value,
}

/// Whether a model is to call tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolChoice {
    /// As it likes (`auto`).
    #[default]
    Auto,
    /// At least one (`required`).
    Required,
    /// None, though it sees them (`none`).
    None,
}

/// Which model is wanted. Whoever answers may choose another.
///
/// ```
/// use mcp_runtime::sample::ModelPreferences;
///
/// let small_and_fast = ModelPreferences::new().hint("haiku").hint("mini").speed(1.0).intelligence(0.2);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ModelPreferences {
    /// Names or parts of names, best first.
    pub hints: Vec<String>,
    /// How much a low price matters, from 0 to 1.
    pub cost: Option<f64>,
    /// How much speed matters, from 0 to 1.
    pub speed: Option<f64>,
    /// How much ability matters, from 0 to 1.
    pub intelligence: Option<f64>,
}

impl ModelPreferences {
    /// Any model.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a name, or a part of one. The first that fits is taken.
    #[must_use]
    pub fn hint(mut self, name: impl Into<String>) -> Self {
        self.hints.push(name.into());
        self
    }

    /// How much a low price matters, from 0 to 1. Values outside are brought inside.
    #[must_use]
    pub fn cost(mut self, priority: f64) -> Self {
        self.cost = Some(within(priority));
        self
    }

    /// How much speed matters, from 0 to 1. Values outside are brought inside.
    #[must_use]
    pub fn speed(mut self, priority: f64) -> Self {
        self.speed = Some(within(priority));
        self
    }

    /// How much ability matters, from 0 to 1. Values outside are brought inside.
    #[must_use]
    pub fn intelligence(mut self, priority: f64) -> Self {
        self.intelligence = Some(within(priority));
        self
    }
}

fn within(priority: f64) -> f64 {
    if priority.is_nan() { 0.0 } else { priority.clamp(0.0, 1.0) }
}

impl ToolChoice {
    /// The protocol's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Required => "required",
            Self::None => "none",
        }
    }
}

impl ResponseSchema {
    /// A schema of this name.
    pub fn new(name: impl Into<String>, schema: impl Into<Value>) -> Self {
        Self { name: name.into(), schema: schema.into() }
    }
}

impl SamplingTool {
    /// A tool without parameters.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        let input_schema = serde_json::json!({ "type": "object", "properties": {}, "additionalProperties": false });
        Self { name: name.into(), description: description.into(), input_schema, aliases: Vec::new() }
    }

    /// The JSON schema of its input: its root is an object.
    #[must_use]
    pub fn input_schema(mut self, schema: impl Into<Value>) -> Self {
        self.input_schema = schema.into();
        self
    }

    /// The same, which also takes the argument `name` under another name that is not in the schema.
    pub(crate) fn alias(mut self, alias: &'static str, name: &'static str) -> Self {
        self.aliases.push((alias.into(), name.into()));
        self
    }
}
