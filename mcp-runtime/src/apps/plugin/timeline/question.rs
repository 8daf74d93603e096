//! A question of a call, as the timeline of the call shows it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    serve::client::Question,
    wire::protocol::elicitation::{FORM, REJECTED},
};

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

impl PluginQuestion {
    /// Returns the question with this number as the timeline shows it, without the handoff.
    pub(crate) fn new(seq: u32, question: &Question) -> Self {
        let Question { key, params, .. } = question;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let url = question.page().map(str::to_owned);
        Self {
            seq,
            key: key.clone(),
            mode: if url.is_some() { QuestionMode::Url } else { QuestionMode::Form },
            form: text(&params["_meta"][FORM]),
            message: text(&params["message"]).unwrap_or_default(),
            schema: params.get("requestedSchema").cloned(),
            url,
            handoff: None,
            rejected: text(&params["_meta"][REJECTED]),
        }
    }
}
