//! A question of a call, as the timeline of the call shows it.

use std::collections::BTreeMap;

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

/// The reply of a round that ends with questions.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RoundQuestions {
    pub(super) input_requests: BTreeMap<String, RoundQuestion>,
    pub(super) request_state: String,
}

/// A question as the engine sends it.
#[derive(Deserialize)]
pub(super) struct RoundQuestion {
    method: String,
    params: QuestionParams,
}

#[derive(Deserialize)]
struct QuestionParams {
    #[serde(default)]
    mode: QuestionMode,
    #[serde(default)]
    message: String,
    #[serde(rename = "requestedSchema")]
    schema: Option<Box<RawValue>>,
    url: Option<String>,
    #[serde(rename = "_meta", default)]
    meta: QuestionMeta,
}

#[derive(Default, Deserialize)]
struct QuestionMeta {
    #[serde(rename = "mcp-runtime/form")]
    form: Option<String>,
    #[serde(rename = "mcp-runtime/rejected")]
    rejected: Option<String>,
}

/// A question as the timeline stores it, with the members of [`PluginQuestion`]. The schema and the handoff stay JSON
/// text, so that they need not be parsed.
#[derive(Serialize)]
pub(super) struct WrittenQuestion<'a> {
    pub(super) seq: u32,
    pub(super) key: &'a str,
    mode: QuestionMode,
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<&'a str>,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    handoff: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rejected: Option<&'a str>,
}

impl RoundQuestion {
    /// Returns whether this is a question to the user.
    pub(super) fn is_for_user(&self) -> bool {
        self.method == "elicitation/create"
    }

    pub(super) fn method(&self) -> &str {
        &self.method
    }

    pub(super) fn written<'a>(&'a self, seq: u32, key: &'a str, handoff: Option<&'a RawValue>) -> WrittenQuestion<'a> {
        let QuestionParams { mode, message, schema, url, meta } = &self.params;
        WrittenQuestion {
            seq,
            key,
            mode: *mode,
            form: meta.form.as_deref(),
            message,
            schema: schema.as_deref(),
            url: url.as_deref(),
            handoff,
            rejected: meta.rejected.as_deref(),
        }
    }
}
