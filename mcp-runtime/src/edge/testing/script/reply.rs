//! One answer of a script.

use std::{fmt, time::Duration};

use serde_json::{Map, Value, json};

use serde::Serialize;

use super::sampled::{ModelAnswer, SampledCall};
use crate::{
    engine::{
        elicit::{Answers, Form},
        sample::Sampled,
    },
    serve::client::Question,
};

/// The answer of a scripted client to one question.
///
/// [`ScriptedCall`](crate::testing::ScriptedCall) has a method for each kind of answer. Use this type for
/// [`reply_to`](crate::testing::ScriptedCall::reply_to), and for delayed answers:
///
/// ```
/// use std::time::Duration;
///
/// use mcp_runtime::testing::Reply;
///
/// let reply = Reply::decline().after(Duration::from_secs(90));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Reply {
    pub(crate) kind: PlannedReply,
    pub(crate) after: Duration,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PlannedReply {
    Accept(Filled),
    Decline,
    Cancel,
    ElicitUrl,
    Roots(Vec<String>),
    Sampled(ModelAnswer),
    Raw(Value),
    Silence,
    Refuse { code: i64, message: String },
    CancelCall,
}

/// A completed form.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Filled {
    name: &'static str,
    fields: Vec<&'static str>,
    content: Map<String, Value>,
}

/// A member of a response, as a name and a value. The name is `result` or `error`.
pub(crate) type ResponseMember = (&'static str, Value);

impl Reply {
    /// Creates an answer in which the user completes the form.
    pub fn accept<F: Form>(form: F) -> Self {
        let path = std::any::type_name::<F>();
        let name = path.rsplit("::").next().unwrap_or(path);
        let fields = F::schema().fields.iter().map(|field| field.name).collect();
        Self::new(PlannedReply::Accept(Filled { name, fields, content: Answers::of(form) }))
    }

    /// Creates an answer in which the user declines.
    pub fn decline() -> Self {
        Self::new(PlannedReply::Decline)
    }

    /// Creates an answer in which the user closes the form without an answer.
    pub fn cancel() -> Self {
        Self::new(PlannedReply::Cancel)
    }

    /// Creates an answer in which the user agrees to open the page of a URL question.
    pub fn accept_url() -> Self {
        Self::new(PlannedReply::ElicitUrl)
    }

    /// Creates an answer with the client's root folders, each a `file:` URI.
    pub fn roots<U: Into<String>>(uris: impl IntoIterator<Item = U>) -> Self {
        Self::new(PlannedReply::Roots(uris.into_iter().map(Into::into).collect()))
    }

    /// Creates an answer in which the model replies with this text.
    pub fn sampled(text: impl Into<String>) -> Self {
        Self::new(PlannedReply::Sampled(ModelAnswer::Text(text.into())))
    }

    /// Creates an answer in which the model replies with this value. If the client supports sampling tools, the reply
    /// is a call of the tool `answer`, with which models return values. Otherwise, the reply is a text with JSON.
    ///
    /// # Panics
    /// Panics if `value` cannot be serialized.
    #[track_caller]
    pub fn sampled_value(value: impl Serialize) -> Self {
        Self::new(PlannedReply::Sampled(ModelAnswer::value(value)))
    }

    /// Creates an answer in which the model calls this tool. If the client supports sampling tools, the call is a
    /// `tool_use` block. Otherwise, the call is JSON in a text. `input` is serialized like the
    /// [arguments](crate::testing::Client::call) of a call.
    ///
    /// # Panics
    /// Panics if `input` is not serialized to an object or to `null`.
    #[track_caller]
    pub fn sampled_tool(name: impl Into<String>, input: impl Serialize) -> Self {
        Self::new(PlannedReply::Sampled(ModelAnswer::Calls(vec![SampledCall::new(name.into(), input)])))
    }

    /// Adds another tool call to the same reply.
    ///
    /// # Panics
    /// Panics if `self` is not a [`sampled_tool`](Self::sampled_tool), or if `input` is not serialized to an object or
    /// to `null`.
    #[track_caller]
    pub fn and_tool(self, name: impl Into<String>, input: impl Serialize) -> Self {
        let Self { kind: PlannedReply::Sampled(ModelAnswer::Calls(mut calls)), after } = self else {
            panic!("{self} is not a tool call; write `and_tool` after `sampled_tool`")
        };
        calls.push(SampledCall::new(name.into(), input));
        Self { kind: PlannedReply::Sampled(ModelAnswer::Calls(calls)), after }
    }

    /// Creates an answer from a whole reply of the model, with the model's name and the stop reason. Only the token
    /// usage of the reply is not sent, because the protocol cannot carry it. The scripted client does not check whether
    /// its declared capabilities allow this reply.
    ///
    /// ```
    /// use mcp_runtime::{
    ///     sample::{Sampled, SamplingContent, StopReason},
    ///     testing::Reply,
    /// };
    ///
    /// let half = vec![SamplingContent::Text(r#"{"cell": "#.to_owned())];
    /// let reply = Reply::sampled_as(Sampled::new(half, "small").stopped(StopReason::MaxTokens));
    /// ```
    pub fn sampled_as(reply: Sampled) -> Self {
        Self::new(PlannedReply::Sampled(ModelAnswer::Whole(reply)))
    }

    /// Leaves a question without an answer. Since 2026-07-28, the client still sends the next request of the call.
    pub fn silence() -> Self {
        Self::new(PlannedReply::Silence)
    }

    /// Creates an answer with this JSON. The test does not check that the JSON fits the question. Use this method for
    /// answers that no client should send.
    pub fn answer(raw: Value) -> Self {
        Self::new(PlannedReply::Raw(raw))
    }

    /// Creates a JSON-RPC error instead of an answer. Only revisions before 2026-07-28 can transmit such an error.
    pub fn refuse(code: i64, message: impl Into<String>) -> Self {
        Self::new(PlannedReply::Refuse { code, message: message.into() })
    }

    /// Cancels the call instead of answering. See [`ScriptedCall::cancel_call`](crate::testing::ScriptedCall::cancel_call).
    pub fn cancel_call() -> Self {
        Self::new(PlannedReply::CancelCall)
    }

    /// Delays the answer by this time. If the call ends earlier, the client does not send the answer.
    pub fn after(mut self, delay: Duration) -> Self {
        self.after = delay;
        self
    }

    /// Returns the answer to this question, or `None` if the client does not answer. Fails with the reason if the
    /// answer does not fit the question.
    pub(crate) fn to(&self, question: &Question) -> Result<Option<ResponseMember>, String> {
        if let Some(misfit) = self.misfit(question) {
            return Err(misfit);
        }
        let result = match &self.kind {
            PlannedReply::Accept(Filled { content, .. }) => json!({ "action": "accept", "content": content }),
            PlannedReply::Decline => json!({ "action": "decline" }),
            PlannedReply::Cancel => json!({ "action": "cancel" }),
            PlannedReply::ElicitUrl => json!({ "action": "accept" }),
            PlannedReply::Roots(uris) => {
                json!({ "roots": uris.iter().map(|uri| json!({ "uri": uri })).collect::<Vec<_>>() })
            }
            PlannedReply::Sampled(said) => said.to(question),
            PlannedReply::Raw(raw) => raw.clone(),
            PlannedReply::Refuse { code, message } => {
                return Ok(Some(("error", json!({ "code": code, "message": message }))));
            }
            PlannedReply::Silence | PlannedReply::CancelCall => return Ok(None),
        };
        Ok(Some(("result", result)))
    }

    fn misfit(&self, question: &Question) -> Option<String> {
        match &self.kind {
            PlannedReply::Raw(_) | PlannedReply::Refuse { .. } | PlannedReply::Silence | PlannedReply::CancelCall => {
                None
            }
            PlannedReply::Sampled(said) if question.is_sampling() => said.misfit(question),
            PlannedReply::Sampled(_) => Some("does not ask a model".to_owned()),
            _ if question.is_sampling() => Some("asks a model".to_owned()),
            PlannedReply::Roots(_) => question.is_elicitation().then(|| "asks the user".to_owned()),
            _ if !question.is_elicitation() => Some("does not ask the user".to_owned()),
            PlannedReply::Accept(filled) => filled.misfit(question),
            PlannedReply::ElicitUrl => question.url().is_none().then(|| "names no page to visit".to_owned()),
            PlannedReply::Decline | PlannedReply::Cancel => None,
        }
    }

    fn new(kind: PlannedReply) -> Self {
        Self { kind, after: Duration::ZERO }
    }
}

impl Filled {
    fn misfit(&self, question: &Question) -> Option<String> {
        if question.url().is_some() {
            return Some("sends the user to a page".to_owned());
        }
        let asked = question.fields();
        let same = asked.len() == self.fields.len() && asked.iter().all(|field| self.fields.contains(field));
        (!same).then(|| format!("asks for {}", list(&asked)))
    }
}

fn list(fields: &[&str]) -> String {
    let quoted: Vec<_> = fields.iter().map(|field| format!("`{field}`")).collect();
    if quoted.is_empty() { "nothing".to_owned() } else { quoted.join(", ") }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            PlannedReply::Accept(Filled { name, fields, .. }) => {
                write!(f, "`accept` of the form `{name}` with {}", list(fields))
            }
            PlannedReply::Decline => f.write_str("`decline`"),
            PlannedReply::Cancel => f.write_str("`cancel`"),
            PlannedReply::ElicitUrl => f.write_str("`visit`"),
            PlannedReply::Roots(uris) => write!(f, "`roots` {uris:?}"),
            PlannedReply::Sampled(said) => said.fmt(f),
            PlannedReply::Silence => f.write_str("`silence`"),
            PlannedReply::CancelCall => f.write_str("`cancel_call`"),
            PlannedReply::Raw(raw) => write!(f, "`answer` {raw}"),
            PlannedReply::Refuse { code, message } => write!(f, "`refuse` {code} {message:?}"),
        }
    }
}
