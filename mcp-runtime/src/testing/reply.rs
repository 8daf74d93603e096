//! One answer of a script.

use std::{fmt, time::Duration};

use serde_json::{Map, Value, json};

use serde::Serialize;

use super::{
    question::Question,
    sampled::{Call, Said},
};
use crate::{
    elicit::{Content, Form},
    sample::Sampled,
};

/// What a scripted client answers to one question.
///
/// [`ScriptedCall`](super::ScriptedCall) has a method for each; this is for
/// [`reply_to`](super::ScriptedCall::reply_to), and for answers that take their time:
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
    kind: Kind,
    after: Duration,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Accept(Filled),
    Decline,
    Cancel,
    Visit,
    Roots(Vec<String>),
    Sampled(Said),
    Raw(Value),
    Silence,
    Refuse { code: i64, message: String },
    CancelCall,
}

/// A form that was filled in.
#[derive(Clone, Debug, PartialEq)]
struct Filled {
    name: &'static str,
    fields: Vec<&'static str>,
    content: Map<String, Value>,
}

/// The member of a response, and its value: `result`, or `error`.
pub(super) type Member = (&'static str, Value);

impl Reply {
    /// The user fills the form in.
    pub fn accept<F: Form>(form: F) -> Self {
        let path = std::any::type_name::<F>();
        let name = path.rsplit("::").next().unwrap_or(path);
        let fields = F::schema().fields().iter().map(|field| field.name).collect();
        Self::new(Kind::Accept(Filled { name, fields, content: Content::of(form) }))
    }

    /// The user says no.
    pub fn decline() -> Self {
        Self::new(Kind::Decline)
    }

    /// The user closes the form without an answer.
    pub fn cancel() -> Self {
        Self::new(Kind::Cancel)
    }

    /// The user agrees to open the page of a URL question.
    pub fn visit() -> Self {
        Self::new(Kind::Visit)
    }

    /// The folders the client works in, each a `file:` URI.
    pub fn roots<U: Into<String>>(uris: impl IntoIterator<Item = U>) -> Self {
        Self::new(Kind::Roots(uris.into_iter().map(Into::into).collect()))
    }

    /// The model answers in words.
    pub fn sampled(text: impl Into<String>) -> Self {
        Self::new(Kind::Sampled(Said::Text(text.into())))
    }

    /// The model answers with this value, by the tool that stands for an answer where its client has tools, else as JSON.
    ///
    /// # Panics
    /// `value` cannot be written as JSON.
    #[track_caller]
    pub fn sampled_value(value: impl Serialize) -> Self {
        Self::new(Kind::Sampled(Said::value(value)))
    }

    /// The model calls this tool, by itself where its client has tools, else in words. `input` becomes an object, as the
    /// [arguments](super::Client::call) of a call do.
    ///
    /// # Panics
    /// `input` is no object.
    #[track_caller]
    pub fn sampled_tool(name: impl Into<String>, input: impl Serialize) -> Self {
        Self::new(Kind::Sampled(Said::Calls(vec![Call::new(name.into(), input)])))
    }

    /// And it calls this one as well, in the same reply.
    ///
    /// # Panics
    /// `self` is no [`sampled_tool`](Self::sampled_tool), or `input` no object.
    #[track_caller]
    pub fn and_tool(self, name: impl Into<String>, input: impl Serialize) -> Self {
        let Self { kind: Kind::Sampled(Said::Calls(mut calls)), after } = self else {
            panic!("{self} calls no tool that another could stand beside")
        };
        calls.push(Call::new(name.into(), input));
        Self { kind: Kind::Sampled(Said::Calls(calls)), after }
    }

    /// The whole reply of the model, with its name and why it stopped. It is sent as it is, whatever the client can.
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
        Self::new(Kind::Sampled(Said::Whole(reply)))
    }

    /// No answer at all: since 2026-07-28 the client goes on without it, and before it never responds.
    pub fn silence() -> Self {
        Self::new(Kind::Silence)
    }

    /// Any JSON, sent as the answer to whatever was asked: for answers that no client should give.
    pub fn answer(raw: Value) -> Self {
        Self::new(Kind::Raw(raw))
    }

    /// A JSON-RPC error instead of an answer. Only before 2026-07-28: since then answers have no place for one.
    pub fn refuse(code: i64, message: impl Into<String>) -> Self {
        Self::new(Kind::Refuse { code, message: message.into() })
    }

    /// The client cancels the call instead of answering. See
    /// [`ScriptedCall::cancel_call`](super::ScriptedCall::cancel_call).
    pub fn cancel_call() -> Self {
        Self::new(Kind::CancelCall)
    }

    pub(super) fn cancels_call(&self) -> bool {
        self.kind == Kind::CancelCall
    }

    /// The answer comes only after this time. It is no longer sent when the call is over by then.
    pub fn after(mut self, delay: Duration) -> Self {
        self.after = delay;
        self
    }

    pub(super) fn delay(&self) -> Duration {
        self.after
    }

    /// The answer to this question, `result` or `error` and its value, if there is one; or what the question does that
    /// this does not fit.
    pub(super) fn to(&self, question: &Question) -> Result<Option<Member>, String> {
        if let Some(misfit) = self.misfit(question) {
            return Err(misfit);
        }
        let result = match &self.kind {
            Kind::Accept(Filled { content, .. }) => json!({ "action": "accept", "content": content }),
            Kind::Decline => json!({ "action": "decline" }),
            Kind::Cancel => json!({ "action": "cancel" }),
            Kind::Visit => json!({ "action": "accept" }),
            Kind::Roots(uris) => json!({ "roots": uris.iter().map(|uri| json!({ "uri": uri })).collect::<Vec<_>>() }),
            Kind::Sampled(said) => said.to(question),
            Kind::Raw(raw) => raw.clone(),
            Kind::Refuse { code, message } => return Ok(Some(("error", json!({ "code": code, "message": message })))),
            Kind::Silence | Kind::CancelCall => return Ok(None),
        };
        Ok(Some(("result", result)))
    }

    fn misfit(&self, question: &Question) -> Option<String> {
        match &self.kind {
            Kind::Raw(_) | Kind::Refuse { .. } | Kind::Silence | Kind::CancelCall => None,
            Kind::Sampled(said) if question.is_sampling() => said.misfit(question),
            Kind::Sampled(_) => Some("does not ask a model".to_owned()),
            _ if question.is_sampling() => Some("asks a model".to_owned()),
            Kind::Roots(_) => question.is_elicitation().then(|| "asks the user".to_owned()),
            _ if !question.is_elicitation() => Some("does not ask the user".to_owned()),
            Kind::Accept(filled) => filled.misfit(question),
            Kind::Visit => question.url().is_none().then(|| "names no page to visit".to_owned()),
            Kind::Decline | Kind::Cancel => None,
        }
    }

    fn new(kind: Kind) -> Self {
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
            Kind::Accept(Filled { name, fields, .. }) => {
                write!(f, "`accept` of the form `{name}` with {}", list(fields))
            }
            Kind::Decline => f.write_str("`decline`"),
            Kind::Cancel => f.write_str("`cancel`"),
            Kind::Visit => f.write_str("`visit`"),
            Kind::Roots(uris) => write!(f, "`roots` {uris:?}"),
            Kind::Sampled(said) => said.fmt(f),
            Kind::Silence => f.write_str("`silence`"),
            Kind::CancelCall => f.write_str("`cancel_call`"),
            Kind::Raw(raw) => write!(f, "`answer` {raw}"),
            Kind::Refuse { code, message } => write!(f, "`refuse` {code} {message:?}"),
        }
    }
}
