//! A question of a call, as the timeline of the call shows it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};

/// A question to the user that waits for its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PluginQuestion {
    /// The number of the question in its call, starting at 1. An answer must give this number.
    pub seq: u32,
    /// The key of the question, unique in its call, such as `confirm` or `confirm#2`.
    pub key: String,
    /// Whether the user fills in a form or opens a page.
    pub mode: QuestionMode,
    /// The key of the form in its `#[elicits]` enum. `None` if the user opens a page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
    /// The message above the form.
    pub message: String,
    /// The `requestedSchema` of the form, with the choices and defaults that the tool sets at run time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// The page to open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The value that the phase `before` has passed to the later phases, for a tool with `#[handoff]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handoff: Option<Value>,
    /// Why the last answer to this question was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<String>,
}

/// What the user does to answer a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionMode {
    /// The user fills in a form.
    #[default]
    Form,
    /// The user opens a page in the browser.
    Url,
}

/// A [`PluginQuestion`] whose schema and handoff are JSON text, so that they are copied and not parsed.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct QuestionText<'a> {
    pub(crate) seq: u32,
    #[serde(borrow)]
    pub(crate) key: Cow<'a, str>,
    pub(crate) mode: QuestionMode,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) form: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(crate) message: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) schema: Option<&'a RawValue>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) handoff: Option<&'a RawValue>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) rejected: Option<Cow<'a, str>>,
}

/// The `params` of `elicitation/create`.
#[derive(Deserialize)]
struct ElicitParams<'a> {
    #[serde(borrow, default)]
    mode: Cow<'a, str>,
    #[serde(borrow, default)]
    message: Cow<'a, str>,
    #[serde(borrow, default, rename = "requestedSchema")]
    schema: Option<&'a RawValue>,
    #[serde(borrow, default)]
    url: Option<Cow<'a, str>>,
    #[serde(borrow, default, rename = "_meta")]
    meta: ElicitMeta<'a>,
}

/// See [`FormMeta`](crate::wire::protocol::elicitation::FormMeta).
#[derive(Default, Deserialize)]
struct ElicitMeta<'a> {
    #[serde(borrow, default, rename = "mcp-runtime/form")]
    form: Option<Cow<'a, str>>,
    #[serde(borrow, default, rename = "mcp-runtime/rejected")]
    rejected: Option<Cow<'a, str>>,
}

impl<'a> QuestionText<'a> {
    /// Returns the question with this number as the timeline shows it. `params` are those of `elicitation/create`.
    ///
    /// # Errors
    /// Fails if the params cannot be read.
    pub(crate) fn new(
        seq: u32,
        key: &'a str,
        params: &'a str,
        handoff: Option<&'a RawValue>,
    ) -> serde_json::Result<Self> {
        let ElicitParams { mode, message, schema, url, meta: ElicitMeta { form, rejected } } =
            serde_json::from_str(params)?;
        let url = url.filter(|_| mode == "url");
        let mode = if url.is_some() { QuestionMode::Url } else { QuestionMode::Form };
        Ok(Self { seq, key: key.into(), mode, form, message, schema, url, handoff, rejected })
    }
}
