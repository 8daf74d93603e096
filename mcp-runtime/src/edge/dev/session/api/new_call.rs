//! What begins a call.

use serde::{Deserialize, Serialize};

use super::{
    call::{AnyAnswer, CallRequest, QuestionKind},
    fault::DevFault,
};
use crate::edge::dev::target::ClientSetup;

/// The body of a request for a new call.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct NewCall {
    pub(crate) request: CallRequest,
    pub(crate) setup: ClientSetup,
    #[serde(default)]
    pub(crate) fault: Option<DevFault>,
    /// What is answered when the call asks, in this order.
    #[serde(default)]
    pub(crate) answers: Vec<PreparedAnswer>,
}

/// An answer that is prepared before the call asks, for the first question that it fits.
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
