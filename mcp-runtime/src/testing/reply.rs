//! One answer of a script.

use std::{fmt, time::Duration};

use serde_json::{Value, json};

use super::question::Question;

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
    Decline,
    Cancel,
    Visit,
    Roots(Vec<String>),
    Raw(Value),
    Refuse { code: i64, message: String },
}

impl Reply {
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

    /// Any JSON, sent as the answer to whatever was asked: for answers that no client should give.
    pub fn answer(raw: Value) -> Self {
        Self::new(Kind::Raw(raw))
    }

    /// A JSON-RPC error instead of an answer. Only before 2026-07-28: since then answers have no place for one.
    pub fn refuse(code: i64, message: impl Into<String>) -> Self {
        Self::new(Kind::Refuse { code, message: message.into() })
    }

    /// The answer comes only after this time. It is no longer sent when the call is over by then.
    pub fn after(mut self, delay: Duration) -> Self {
        self.after = delay;
        self
    }

    pub(super) fn delay(&self) -> Duration {
        self.after
    }

    /// The answer to this question, `result` or `error` and its value, or what the question does that it does not fit.
    pub(super) fn to(&self, question: &Question) -> Result<(&'static str, Value), &'static str> {
        Ok((
            "result",
            match &self.kind {
                Kind::Raw(raw) => raw.clone(),
                Kind::Refuse { code, message } => return Ok(("error", json!({ "code": code, "message": message }))),
                Kind::Roots(_) if question.is_elicitation() => return Err("asks the user"),
                Kind::Roots(uris) => {
                    json!({ "roots": uris.iter().map(|uri| json!({ "uri": uri })).collect::<Vec<_>>() })
                }
                _ if !question.is_elicitation() => return Err("does not ask the user"),
                Kind::Decline => json!({ "action": "decline" }),
                Kind::Cancel => json!({ "action": "cancel" }),
                Kind::Visit if question.url().is_none() => return Err("names no page to visit"),
                Kind::Visit => json!({ "action": "accept" }),
            },
        ))
    }

    fn new(kind: Kind) -> Self {
        Self { kind, after: Duration::ZERO }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Decline => f.write_str("`decline`"),
            Kind::Cancel => f.write_str("`cancel`"),
            Kind::Visit => f.write_str("`visit`"),
            Kind::Roots(uris) => write!(f, "`roots` {uris:?}"),
            Kind::Raw(raw) => write!(f, "`answer` {raw}"),
            Kind::Refuse { code, message } => write!(f, "`refuse` {code} {message:?}"),
        }
    }
}
