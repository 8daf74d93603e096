//! Answers that are prepared before a call asks.

use serde::{Deserialize, Serialize};

use super::call::AnyAnswer;

/// An answer for the first question that it fits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PreparedAnswer {
    /// The kind of the question. `None`: each kind that is answered like this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<QuestionKind>,
    /// The key of the question, or its name on a command line. `None`: each question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<String>,
    #[serde(flatten)]
    pub(crate) answer: AnyAnswer,
}

/// What a question wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum QuestionKind {
    Form,
    Url,
    Sampling,
    Roots,
}

impl QuestionKind {
    pub(crate) const ALL: [Self; 4] = [Self::Form, Self::Url, Self::Sampling, Self::Roots];
}
