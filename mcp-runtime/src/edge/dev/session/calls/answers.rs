//! The results with which a client answers questions.

use serde_json::{Map, Value, json};

use crate::{
    edge::dev::session::api::call::{AnyAnswer, OpenQuestion},
    wire::protocol::sampling::sampled_text,
};

/// The name of the model in replies that were written by hand.
const BY_HAND: &str = "a person at the development page";

/// Returns the result for this answer. `None` if a model has to give it.
///
/// # Errors
/// Fails if this kind of question cannot be answered like this.
pub(super) fn result_of(question: &OpenQuestion, answer: &AnyAnswer) -> Result<Option<Value>, String> {
    let result = match (question, answer) {
        (OpenQuestion::Form(_), AnyAnswer::Accept { content }) => {
            json!({ "action": "accept", "content": content.clone().unwrap_or_default() })
        }
        (OpenQuestion::Url(_), AnyAnswer::Accept { .. }) => json!({ "action": "accept" }),
        (OpenQuestion::Form(_) | OpenQuestion::Url(_), AnyAnswer::Decline) => json!({ "action": "decline" }),
        (OpenQuestion::Form(_) | OpenQuestion::Url(_), AnyAnswer::Cancel) => json!({ "action": "cancel" }),
        (OpenQuestion::Sampling { .. }, AnyAnswer::Reply { result: Some(result), .. }) => result.clone().into(),
        (OpenQuestion::Sampling { .. }, AnyAnswer::Reply { text: Some(text), .. }) => sampled_text(text, BY_HAND),
        (OpenQuestion::Sampling { .. }, AnyAnswer::Model) => return Ok(None),
        (OpenQuestion::Roots { .. }, AnyAnswer::Roots { roots }) => json!({ "roots": roots }),
        (question, _) => {
            let expected = match question {
                OpenQuestion::Form(_) | OpenQuestion::Url(_) => "`accept`, `decline` or `cancel`",
                OpenQuestion::Sampling { .. } => "`reply` with a `text` or a `result`, or `model`",
                OpenQuestion::Roots { .. } => "`roots`",
            };
            return Err(format!("the question `{}` is answered with {expected}", question.key()));
        }
    };
    Ok(Some(result))
}

/// Returns a result that does not fit the question, and the answer that it stands for.
pub(super) fn wrong(question: &OpenQuestion) -> (Value, AnyAnswer) {
    match question {
        OpenQuestion::Form(user) => {
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
        OpenQuestion::Url(_) => (json!({ "action": "wrong" }), AnyAnswer::Cancel),
        OpenQuestion::Sampling { .. } | OpenQuestion::Roots { .. } => {
            let result = Map::from_iter([("wrong".to_owned(), Value::from(true))]);
            (result.clone().into(), AnyAnswer::Reply { text: None, result: Some(result) })
        }
    }
}
