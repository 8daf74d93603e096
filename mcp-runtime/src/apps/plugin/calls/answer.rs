//! Checks answers against the schema of their question.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::error::AnswerProblem;
use crate::{
    apps::plugin::timeline::{
        event::AnswerAction,
        question::{QuestionMode, QuestionText},
    },
    engine::{
        elicit::{Elicited, leniency},
        tool::registered::RegisteredTool,
    },
    wire::{
        protocol::{frame::push_json, text::push_json_string},
        schema::{InputSchema, Violation, Violations},
    },
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

impl PluginAnswer {
    /// Returns the `inputResponses` of a request that answers the question with this key, as JSON text.
    pub(crate) fn under(&self, key: &str) -> String {
        let mut responses = Vec::with_capacity(256);
        responses.push(b'{');
        push_json_string(&mut responses, key);
        responses.push(b':');
        push_json(&mut responses, self);
        responses.push(b'}');
        // The bytes come from strings only.
        String::from_utf8(responses).unwrap_or_default()
    }
}

impl QuestionText<'_> {
    /// Checks an answer to a question of this tool. The content can contain only fields of the form, and optional fields
    /// can be empty. If the answer does not accept a form, removes the content.
    pub(crate) fn check(
        &self,
        answer: &mut PluginAnswer,
        tool: Option<&RegisteredTool>,
    ) -> Result<(), Vec<AnswerProblem>> {
        if answer.action != AnswerAction::Accept || self.mode == QuestionMode::Url {
            answer.content = None;
            return Ok(());
        }
        let content = answer.content.get_or_insert_default();
        let text = self.schema.unwrap_or("null");
        let form =
            tool.and_then(|tool| tool.definition.forms.iter().find(|form| Some(form.key) == self.form.as_deref()));
        // The question can have other choices than the form.
        if form.is_some_and(|form| (form.published)().get() == text && (form.accepts)(content)) {
            return Ok(());
        }
        let schema: Value = serde_json::from_str(text).unwrap_or_default();
        let unknown = content.keys().filter(|name| schema["properties"].get(name.as_str()).is_none());
        let unknown: Vec<_> = unknown.map(|name| AnswerProblem::of(name, "the form has no such field")).collect();
        if !unknown.is_empty() {
            return Err(unknown);
        }
        leniency::normalize(content, || schema.clone());
        // A number such as `1.0` counts as an integer, and the engine writes it as an integer.
        let text = Value::Object(content.clone()).to_string();
        InputSchema::of_form(&schema).check(&text).map_err(|violations| problems(&violations))
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
