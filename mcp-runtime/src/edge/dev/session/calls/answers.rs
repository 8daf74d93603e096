//! The results with which a client answers questions.

use serde_json::{Map, Value, json};

use crate::{
    edge::dev::session::{
        api::{
            call::{AnyAnswer, DevQuestion, QuestionKind},
            new_call::PreparedAnswer,
        },
        error::SessionError,
    },
    wire::protocol::sampling::sampled_text,
};

/// How many answers can be prepared for a call.
const MOST_PREPARED: usize = 100;

/// The name of the model in replies that were written by hand.
const BY_HAND: &str = "a person at the development page";

/// Checks that each prepared answer can be given to a question.
///
/// # Errors
/// Names the first one that cannot.
pub(crate) fn check_prepared(answers: &[PreparedAnswer], has_model: bool) -> Result<(), SessionError> {
    if answers.len() > MOST_PREPARED {
        let count = answers.len();
        return Err(SessionError::Invalid(format!("{count} answers are prepared; at most {MOST_PREPARED} can be")));
    }
    for (index, PreparedAnswer { kind, answer, .. }) in answers.iter().enumerate() {
        let number = index + 1;
        let result = match kind {
            Some(kind) => result_of(*kind, answer).map_err(|expected| {
                let kind = json!(kind);
                format!("the prepared answer {number} is for a question of the kind {kind}, which is answered with {expected}")
            }),
            None => QuestionKind::ALL.into_iter().find_map(|kind| result_of(kind, answer).ok()).ok_or_else(|| {
                format!("the prepared answer {number} fits no question; give the reply a `text` or a `result`")
            }),
        };
        if result.map_err(SessionError::Invalid)?.is_none() && !has_model {
            return Err(SessionError::no_model());
        }
    }
    Ok(())
}

/// Returns the result for this answer to a question of this kind. `None` if a model has to give it.
///
/// # Errors
/// Returns what such a question is answered with, if that is something else.
pub(super) fn result_of(kind: QuestionKind, answer: &AnyAnswer) -> Result<Option<Value>, &'static str> {
    use QuestionKind::{Form, Roots, Sampling, Url};

    Ok(Some(match (kind, answer) {
        (Form, AnyAnswer::Accept { content }) => {
            json!({ "action": "accept", "content": content.clone().unwrap_or_default() })
        }
        (Url, AnyAnswer::Accept { .. }) => json!({ "action": "accept" }),
        (Form | Url, AnyAnswer::Decline) => json!({ "action": "decline" }),
        (Form | Url, AnyAnswer::Cancel) => json!({ "action": "cancel" }),
        (Sampling, AnyAnswer::Reply { result: Some(result), .. }) => result.clone().into(),
        (Sampling, AnyAnswer::Reply { text: Some(text), .. }) => sampled_text(text, BY_HAND),
        (Sampling, AnyAnswer::Model) => return Ok(None),
        (Roots, AnyAnswer::Roots { roots }) => json!({ "roots": roots }),
        (Form | Url, _) => return Err("`accept`, `decline` or `cancel`"),
        (Sampling, _) => return Err("`reply` with a `text` or a `result`, or `model`"),
        (Roots, _) => return Err("`roots`"),
    }))
}

/// Returns a result that does not fit the question, and the answer that it stands for.
pub(super) fn wrong(question: &DevQuestion) -> (Value, AnyAnswer) {
    match question {
        DevQuestion::Form(user) => {
            let properties = user.schema.as_ref().and_then(|schema| schema["properties"].as_object());
            let content: Map<String, Value> = properties
                .into_iter()
                .flatten()
                .map(|(name, field)| {
                    let wrong = if field["type"] == "string" { json!(["wrong"]) } else { json!("wrong") };
                    (name.clone(), wrong)
                })
                .collect();
            (json!({ "action": "accept", "content": content }), AnyAnswer::Accept { content: Some(content) })
        }
        DevQuestion::Url(_) => (json!({ "action": "wrong" }), AnyAnswer::Cancel),
        DevQuestion::Sampling { .. } | DevQuestion::Roots { .. } => {
            let result = Map::from_iter([("wrong".to_owned(), Value::from(true))]);
            (result.clone().into(), AnyAnswer::Reply { text: None, result: Some(result) })
        }
    }
}
