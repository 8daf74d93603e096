//! Checks answers against the schema of their question.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::error::AnswerProblem;
use crate::{
    apps::plugin::timeline::{
        event::AnswerAction,
        question::{PluginQuestion, QuestionMode},
    },
    engine::elicit::{Elicited, leniency},
    wire::schema::{InputSchema, Violation, Violations},
};

/// An answer to a question, with the members of the protocol's `ElicitResult`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PluginAnswer {
    pub(crate) action: AnswerAction,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) content: Option<Map<String, Value>>,
}

impl From<Elicited<Map<String, Value>>> for PluginAnswer {
    fn from(answer: Elicited<Map<String, Value>>) -> Self {
        let (action, content) = match answer {
            Elicited::Accept(content) => (AnswerAction::Accept, Some(content)),
            Elicited::Decline => (AnswerAction::Decline, None),
            Elicited::Cancel => (AnswerAction::Cancel, None),
        };
        Self { action, content }
    }
}

impl PluginQuestion {
    /// Checks an answer. The content can contain only fields of the form, and optional fields can be empty. If the answer
    /// does not accept a form, removes the content.
    pub(crate) fn check(&self, answer: &mut PluginAnswer) -> Result<(), Vec<AnswerProblem>> {
        if answer.action != AnswerAction::Accept || self.mode == QuestionMode::Url {
            answer.content = None;
            return Ok(());
        }
        let content = answer.content.get_or_insert_default();
        let schema = self.schema.as_ref().unwrap_or(&Value::Null);
        let unknown = content.keys().filter(|name| schema["properties"].get(name.as_str()).is_none());
        let unknown: Vec<_> = unknown.map(|name| AnswerProblem::of(name, "the form has no such field")).collect();
        if !unknown.is_empty() {
            return Err(unknown);
        }
        leniency::normalize(content, || schema.clone());
        // A number such as `1.0` counts as an integer, and the engine writes it as an integer.
        let text = Value::Object(content.clone()).to_string();
        InputSchema::of_form(schema).check(&text).map_err(|violations| problems(&violations))
    }
}

impl AnswerProblem {
    fn of(field: &str, message: &str) -> Self {
        Self { field: Some(field.to_owned()), message: message.to_owned() }
    }
}

fn problems(violations: &Violations) -> Vec<AnswerProblem> {
    let problem = |violation: &Violation| match violation.place.argument() {
        Some((field, _)) => AnswerProblem::of(field, &violation.what),
        None => AnswerProblem { field: None, message: violation.to_string() },
    };
    violations.iter().map(problem).collect()
}
