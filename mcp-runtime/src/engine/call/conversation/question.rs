//! A question in the form in which the client gets it, and its answer.

use std::{borrow::Cow, ops::Deref, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, de::Error};
use serde_json::value::RawValue;

use super::ask_error::AskError;
use crate::{
    base::clock::Millis,
    wire::protocol::capability::{Capabilities, Capability},
};

/// A question in the form in which the client gets it. The journal of a call contains its open questions.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct WireQuestion {
    /// The name of the question, with a number if the name is repeated. Each key is unique in its call.
    pub(crate) key: Cow<'static, str>,
    /// The key without its number.
    pub(crate) name: Cow<'static, str>,
    #[serde(rename = "question")]
    pub(crate) fingerprint: Fingerprint,
    #[serde(default = "method_of_form", deserialize_with = "read_method")]
    pub(crate) method: QuestionMethod,
    /// The parameters of the request to the client, as JSON text.
    #[serde(deserialize_with = "read_text")]
    pub(crate) params: Arc<str>,
    /// The capabilities that a client must have to get this question.
    #[serde(default = "needs_of_form", deserialize_with = "read_needs")]
    pub(crate) needs: Capabilities,
    /// Whether to ignore an answer that came before the question was asked.
    #[serde(skip)]
    pub(crate) must_ask: bool,
    /// The time after which an answer counts as a timeout. Set only if the client answers with a new request.
    #[serde(default)]
    pub(crate) deadline: Option<Millis>,
}

/// The JSON-RPC method of a question. An alias, because `Deserialize` treats a `&str` as a part of its input.
type QuestionMethod = &'static str;

/// The method of a question with a form. Most questions are forms, so a journal says the method and the needs of other
/// questions only.
pub(super) const fn method_of_form() -> QuestionMethod {
    "elicitation/create"
}

/// The capabilities that a client must have to get a question with a form.
pub(super) fn needs_of_form() -> Capabilities {
    Capabilities::of(&[Capability::Elicitation])
}

fn read_method<'de, D: Deserializer<'de>>(from: D) -> Result<QuestionMethod, D::Error> {
    let name = Cow::<str>::deserialize(from)?;
    let known = ["elicitation/create", "sampling/createMessage", "roots/list"].into_iter().find(|known| *known == name);
    known.ok_or_else(|| Error::custom(format_args!("unknown question `{name}`")))
}

fn read_text<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<str>, D::Error> {
    Ok(Box::<RawValue>::deserialize(from)?.get().into())
}

fn read_needs<'de, D: Deserializer<'de>>(from: D) -> Result<Capabilities, D::Error> {
    u8::deserialize(from).map(Capabilities::from_bits)
}

/// The answer to a question, or the reason why there is no answer.
pub(crate) type Answer = Result<AnswerText, AskError>;

/// The result object that answers a question.
#[derive(Clone, Debug)]
pub(crate) struct AnswerText {
    /// JSON text.
    pub(crate) text: Arc<str>,
    pub(crate) by: Answerer,
}

impl AnswerText {
    /// Creates an answer of the client.
    pub(crate) fn of_client(text: impl Into<Arc<str>>) -> Self {
        Self { text: text.into(), by: Answerer::Client }
    }
}

impl Deref for AnswerText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// Who answered a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answerer {
    /// The client. Its answer can contain anything.
    #[default]
    Client,
    /// The server's own [provider](crate::sample::SamplingProvider).
    Server,
}

/// The hashes of the parts of a question, as the author wrote the question. The hashes do not depend on what the
/// runtime changes: conversions for a revision, and the reason that the runtime adds when it repeats a question. If a
/// replayed question differs from the recorded question, the error names the part that differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fingerprint {
    #[serde(rename = "f")]
    pub(crate) form: u32,
    #[serde(rename = "m")]
    pub(crate) message: u32,
    #[serde(rename = "c", default)]
    pub(crate) choices: u32,
}

/// Hashes texts with FNV-1a (32 bits). The hash detects accidental changes, but it does not prevent forgery.
pub(crate) fn fingerprint<'a>(texts: impl IntoIterator<Item = &'a str>) -> u32 {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    // Each text ends with a byte that UTF-8 never contains.
    texts.into_iter().fold(0x811c_9dc5, |hash, text| step(text.bytes().fold(hash, step), 0xff))
}

impl Fingerprint {
    /// Returns the first part in which two questions differ.
    pub(super) fn difference(self, other: Self) -> &'static str {
        if self.form != other.form {
            "form"
        } else if self.message != other.message {
            "message"
        } else {
            "choices or defaults"
        }
    }
}
