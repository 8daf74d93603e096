//! The value that a reply must contain: its schema, and how it is read from the reply.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{find::candidates, reply::ParseError};
use crate::{
    engine::{call::AskError, tool::host_warnings::as_name},
    wire::{
        protocol::sampling::{ResponseSchema, Sampled, SamplingContent, StopReason},
        schema::{InputSchema, parameter::input_schema::generator},
    },
};

/// A type that [`schema`](super::Sample::schema) can request from a model: implemented for every type that is
/// [`DeserializeOwned`] and [`JsonSchema`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot come from a model",
    label = "cannot be read from a reply",
    note = "put `#[derive(serde::Deserialize, schemars::JsonSchema)]` on `{Self}`"
)]
pub trait SampleValue: DeserializeOwned + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> SampleValue for T {}

/// The name of the answer tool. A model that supports tools but not schemas calls this tool with its answer as the
/// input.
pub(crate) const ANSWER: &str = "answer";

/// The member that wraps a value that is not an object. Models return only objects, so such a value is wrapped in one.
const VALUE: &str = "value";

/// A JSON object that holds the value in the member [`VALUE`].
#[derive(Deserialize)]
struct Wrapped<T> {
    value: T,
}

/// The schema that a reply must match, in the form that is sent to the model.
pub(super) struct ExpectedSchema {
    name: String,
    checker: InputSchema,
    pub(super) published: Value,
    /// Whether the model must wrap the value in an object with the member [`VALUE`].
    wrapped: bool,
}

impl ExpectedSchema {
    /// # Errors
    /// Fails if the schema of `T` is invalid. The error lists its problems.
    pub(super) fn of<T: JsonSchema>() -> Result<Self, AskError> {
        let generator = || generator(SchemaSettings::draft2020_12());
        let (mut schema, name) = (generator().into_root_schema_for::<T>().to_value(), T::schema_name());
        let is_object = schema["type"] == "object"
            && ["$ref", "anyOf", "oneOf", "allOf", "if", "not"].iter().all(|keyword| schema.get(keyword).is_none());
        if !is_object {
            // The type is no longer the root, so its schema is generated again. Otherwise references to the root would
            // be wrong.
            let mut generator = generator();
            let value = generator.subschema_for::<T>();
            schema = json!({ "type": "object", "properties": { VALUE: value }, "required": [VALUE] });
            let definitions = generator.take_definitions(true);
            if !definitions.is_empty() {
                schema["$defs"] = definitions.into();
            }
        }
        let checker = InputSchema::new(schema)
            .map_err(|problems| AskError::Question(format!("the schema of `{name}`: {}", problems.join("; "))))?;
        let published = checker.to_value();
        Ok(Self { name: as_name(&name), checker, published, wrapped: !is_object })
    }

    pub(super) fn response_schema(&self) -> ResponseSchema {
        ResponseSchema { name: self.name.clone(), schema: self.published.clone() }
    }

    /// Returns the value of a reply: the input of a call of [`ANSWER`], or the first valid JSON in the
    /// text of the reply.
    pub(super) fn parse<T: DeserializeOwned>(&self, reply: &Sampled, max_tokens: u32) -> Result<T, ParseError> {
        let called = reply.tool_uses().filter(|call| call.name == ANSWER).map(|call| Value::from(call.input.clone()));
        let written = candidates(&reply.text).into_iter().filter_map(|text| serde_json::from_str(text).ok());
        // Errors about objects take precedence: a list such as `[1]` before the object can be a citation.
        let (mut wrong, mut of_non_object) = (None, None);
        for value in called.chain(written) {
            let is_tried = self.wrapped || value.is_object();
            match self.read(value) {
                Ok(value) => return Ok(value),
                Err(problem) if is_tried => wrong = wrong.or(Some(problem)),
                Err(problem) => of_non_object = of_non_object.or(Some(problem)),
            }
        }
        let wrong = wrong.or(of_non_object).unwrap_or_else(|| "there is no JSON in the reply".to_owned());
        Err(unfit(reply, max_tokens, wrong))
    }

    fn read<T: DeserializeOwned>(&self, value: Value) -> Result<T, String> {
        let wrapped_already =
            || value.as_object().is_some_and(|object| object.len() == 1 && object.contains_key(VALUE));
        let value = if self.wrapped && !wrapped_already() { json!({ VALUE: value }) } else { value };
        let text = value.to_string();
        self.checker.check(&text).map_err(|violations| violations.to_string())?;
        if self.wrapped {
            return self.checker.read(&text).map(|Wrapped { value }| value);
        }
        self.checker.read(&text)
    }
}

/// Converts a call of the tool [`ANSWER`] into text. The author did not offer that tool, so the author cannot answer
/// the call.
pub(super) fn in_words(mut reply: Sampled) -> Sampled {
    let mut is_called = false;
    for part in &mut reply.content {
        if let SamplingContent::ToolUse(call) = part
            && call.name == ANSWER
        {
            *part = SamplingContent::Text(Value::from(std::mem::take(&mut call.input)).to_string());
            is_called = true;
        }
    }
    if is_called {
        reply.text = crate::wire::protocol::sampling::text(&reply.content);
        if reply.stop_reason == Some(StopReason::ToolUse) {
            reply.stop_reason = Some(StopReason::EndTurn);
        }
    }
    reply
}

/// Creates the error of an invalid reply. If the reply was cut off, the error says so first.
pub(super) fn unfit(reply: &Sampled, max_tokens: u32, problem: String) -> ParseError {
    let message = if reply.is_cut_off() {
        format!("the reply was cut off at {max_tokens} tokens (`max_tokens`); {problem}")
    } else {
        problem
    };
    ParseError { message, raw_text: reply.raw_text() }
}
