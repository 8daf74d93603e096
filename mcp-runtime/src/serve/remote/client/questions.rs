//! Questions of another server, which the client of the outer call answers.

use std::{
    sync::Arc,
    task::{Context, Poll, ready},
};

use serde_json::{Value, from_str, json};

use crate::{
    base::random,
    engine::{
        call::{
            AskError, Call,
            ask::{Ask, Asking},
            conversation::{Fingerprint, fingerprint},
        },
        tool::definition::ANSWER_WITHIN,
    },
    serve::client::Question,
    wire::protocol::{
        capability::Capability,
        error::{INTERNAL_ERROR, USER_REJECTED},
        json::set,
        revision::Revision,
    },
};

/// A question of another server, asked in the outer call.
pub(super) struct ForeignQuestion<'a> {
    ask: Ask<'a>,
    params: Arc<str>,
    fingerprint: Fingerprint,
}

impl<'a> ForeignQuestion<'a> {
    /// Prepares the question and reserves its key.
    ///
    /// # Errors
    /// Fails if the client's revision cannot carry the question.
    pub(super) fn new(call: &'a Call, question: &Question) -> Result<Self, AskError> {
        let (method, needs) = kind_of(question)?;
        let params = adapted(question, call.0.revision)?;
        let message = params["message"].as_str().unwrap_or_default();
        let fingerprint = Fingerprint {
            form: fingerprint([&*params["requestedSchema"].to_string(), params["url"].as_str().unwrap_or_default()]),
            message: fingerprint([message]),
            ..Fingerprint::default()
        };
        let asking = Asking::new(call, question.key.clone().into());
        let ask = Ask::new(asking, method, needs, ANSWER_WITHIN);
        Ok(Self { ask, params: params.to_string().into(), fingerprint })
    }

    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<Value, AskError>> {
        let Self { ask, params, fingerprint } = self;
        let answer = ready!(ask.poll(cx, |_| Ok((*fingerprint, Arc::clone(params)))))?;
        let answer: Value = from_str(&answer).unwrap_or_default();
        let is_object = answer.is_object();
        Poll::Ready(if is_object {
            Ok(answer)
        } else {
            Err(AskError::Invalid("the answer is not an object".to_owned()))
        })
    }
}

/// Returns the answer to a question that the client has not answered: the user has not filled in the form. Other
/// questions have no such answer.
pub(super) fn cancelled(question: &Question, error: AskError) -> Result<Value, AskError> {
    if question.is_elicitation() { Ok(json!({ "action": "cancel" })) } else { Err(error) }
}

/// Returns the error with which a session is told that a question has no answer.
pub(super) fn error_response(error: &AskError) -> Value {
    let (code, message) = match error {
        AskError::Refused { code, message } => (*code, message.clone()),
        other if other.is_of_user() => (i64::from(USER_REJECTED), other.to_string()),
        other => (i64::from(INTERNAL_ERROR), other.to_string()),
    };
    json!({ "code": code, "message": message })
}

/// Returns the method of a question, and what its client needs.
fn kind_of(question: &Question) -> Result<(&'static str, Capability), AskError> {
    Ok(match &*question.method {
        "elicitation/create" if question.page().is_some() => ("elicitation/create", Capability::ElicitationUrl),
        "elicitation/create" => ("elicitation/create", Capability::Elicitation),
        "sampling/createMessage" if !question.params["tools"].is_null() => {
            ("sampling/createMessage", Capability::SamplingTools)
        }
        "sampling/createMessage" => ("sampling/createMessage", Capability::Sampling),
        "roots/list" => ("roots/list", Capability::Roots),
        other => return Err(AskError::Question(format!("another server asks with `{other}`, which is not known"))),
    })
}

/// Returns the parameters of the question as a client of this revision reads them.
fn adapted(question: &Question, revision: Revision) -> Result<Value, AskError> {
    let mut params = question.params.clone();
    let Value::Object(members) = &mut params else { return Ok(json!({})) };
    // It has the token of the other server's own request.
    members.shift_remove("_meta");
    if !question.is_elicitation() {
        return Ok(params);
    }
    if question.page().is_some() {
        if !revision.has_elicitation_id() {
            members.shift_remove("elicitationId");
        } else if !members.contains_key("elicitationId") {
            set(members, "elicitationId", random::hex().into());
        }
    } else if !revision.has_url_elicitation() {
        members.shift_remove("mode");
        let mut fields = members["requestedSchema"]["properties"].as_object().into_iter().flatten();
        if let Some((name, _)) = fields.find(|(_, field)| field["type"] == "array") {
            return Err(AskError::Question(format!(
                "the client uses MCP {revision}, which does not support several choices in one field (`{name}`)"
            )));
        }
    }
    Ok(params)
}
