//! The results with which a client answers questions.

use serde_json::{Map, Value, json};

use crate::{
    edge::dev::session::api::call::{AnyAnswer, DevQuestion},
    wire::protocol::sampling::sampled_text,
};

/// The name of the model in replies that were written by hand.
const BY_HAND: &str = "a person at the development page";

/// Returns the result for this answer. `None` if a model has to give it.
///
/// # Errors
/// Fails if this kind of question cannot be answered like this.
pub(super) fn result_of(question: &DevQuestion, answer: &AnyAnswer) -> Result<Option<Value>, String> {
    let result = match (question, answer) {
        (DevQuestion::Form(_), AnyAnswer::Accept { content }) => {
            json!({ "action": "accept", "content": content.clone().unwrap_or_default() })
        }
        (DevQuestion::Url(_), AnyAnswer::Accept { .. }) => json!({ "action": "accept" }),
        (DevQuestion::Form(_) | DevQuestion::Url(_), AnyAnswer::Decline) => json!({ "action": "decline" }),
        (DevQuestion::Form(_) | DevQuestion::Url(_), AnyAnswer::Cancel) => json!({ "action": "cancel" }),
        (DevQuestion::Sampling { .. }, AnyAnswer::Reply { result: Some(result), .. }) => result.clone().into(),
        (DevQuestion::Sampling { .. }, AnyAnswer::Reply { text: Some(text), .. }) => sampled_text(text, BY_HAND),
        (DevQuestion::Sampling { .. }, AnyAnswer::Model) => return Ok(None),
        (DevQuestion::Roots { .. }, AnyAnswer::Roots { roots }) => json!({ "roots": roots }),
        (question, _) => {
            let expected = match question {
                DevQuestion::Form(_) | DevQuestion::Url(_) => "`accept`, `decline` or `cancel`",
                DevQuestion::Sampling { .. } => "`reply` with a `text` or a `result`, or `model`",
                DevQuestion::Roots { .. } => "`roots`",
            };
            return Err(format!("the question `{}` is answered with {expected}", question.key()));
        }
    };
    Ok(Some(result))
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
