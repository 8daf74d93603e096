//! Failures of a request to a model.

use std::{borrow::Cow, time::Duration};

use super::error::ModelError;

#[derive(Debug)]
pub(super) enum Failure {
    /// The model is configured incorrectly.
    Model(ModelError),
    /// The API cannot represent the conversation.
    Unsayable(String),
    /// The server answered with an error.
    Refused(Box<Refusal>),
    /// The connection was refused or timed out.
    Unreachable { problem: String, tries: u32 },
    /// The connection was lost before the answer was complete.
    Broken { problem: String, tries: u32 },
    /// The reply took longer than the model's timeout, which is this duration.
    TimedOut(Duration),
    /// The answer cannot be parsed.
    Garbled(String),
}

#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) status: u16,
    /// The server's message, without the key.
    pub(super) said: String,
    /// The server's error code.
    pub(super) code: Option<String>,
    pub(super) retry_after: Option<Duration>,
    pub(super) tries: u32,
}

impl Failure {
    /// Records how many times the request was tried.
    pub(super) fn after(mut self, total: u32) -> Self {
        match &mut self {
            Self::Refused(refused) => refused.tries = total,
            Self::Unreachable { tries, .. } | Self::Broken { tries, .. } => *tries = total,
            _ => {}
        }
        self
    }

    /// Returns whether a retry may succeed.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Self::Refused(refused) => refused.may_pass(),
            Self::Unreachable { .. } | Self::Broken { .. } => true,
            Self::Model(_) | Self::Unsayable(_) | Self::TimedOut(_) | Self::Garbled(_) => false,
        }
    }

    pub(super) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused(refused) => refused.retry_after,
            _ => None,
        }
    }

    /// Returns the error type for OpenTelemetry: a short name, or an HTTP status.
    pub(super) fn kind(&self) -> Cow<'static, str> {
        match self {
            Self::Model(_) => "not_configured".into(),
            Self::Unsayable(_) => "not_supported".into(),
            Self::Refused(refused) => refused.status.to_string().into(),
            Self::Unreachable { .. } => "unreachable".into(),
            Self::Broken { .. } => "connection_lost".into(),
            Self::TimedOut(_) => "timeout".into(),
            Self::Garbled(_) => "invalid_reply".into(),
        }
    }

    /// Returns the message for the MCP client. The message does not identify the model's server.
    pub(super) fn for_client(&self) -> &'static str {
        match self {
            Self::Model(_) => "it is not set up",
            Self::Unsayable(_) => "it cannot read this conversation",
            Self::Refused(refused) => refused.for_client(),
            Self::Unreachable { .. } | Self::Broken { .. } => "it cannot be reached; ask again later",
            Self::TimedOut(_) => "it did not reply in time",
            Self::Garbled(_) => "its reply cannot be read",
        }
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Self::Model(error)
    }
}

impl Refusal {
    fn may_pass(&self) -> bool {
        match self.status {
            429 => !self.is_out_of_credit(),
            408 | 500.. => true,
            _ => false,
        }
    }

    fn for_client(&self) -> &'static str {
        match self.status {
            300..=399 | 401..=404 => "it is not set up",
            413 => "the conversation is too large for it",
            429 if self.is_out_of_credit() => "it is not set up",
            429 => "it is busy; ask again later",
            408 | 500.. => "it does not work now; ask again later",
            _ => "it refused the request",
        }
    }

    /// Returns whether the server sent OpenAI's error code for an account without credit.
    pub(super) fn is_out_of_credit(&self) -> bool {
        self.code.as_deref() == Some("insufficient_quota")
    }
}
