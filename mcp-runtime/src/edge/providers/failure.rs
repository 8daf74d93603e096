//! Failures of a request to a model, and how they are explained to the operator and to the client.

use std::{borrow::Cow, time::Duration};

use super::{address::Address, dialect::Dialect, error::ModelError, model::Model};
use crate::{base::backoff, engine::sample::ProviderError};

#[derive(Debug)]
pub(super) enum Failure {
    /// The model is configured incorrectly.
    Model(ModelError),
    /// The API cannot represent the conversation.
    NotSupported(String),
    /// The server answered with an error.
    Refused(Box<Refusal>),
    /// The connection was refused or timed out.
    Unreachable { problem: String, tries: u32 },
    /// The connection was lost before the answer was complete.
    ConnectionLost { problem: String, tries: u32 },
    /// The reply took longer than the model's timeout, which is this duration.
    TimedOut(Duration),
    /// The answer cannot be parsed.
    InvalidReply(String),
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
            Self::Unreachable { tries, .. } | Self::ConnectionLost { tries, .. } => *tries = total,
            _ => {}
        }
        self
    }

    /// Returns whether a retry may succeed.
    pub(super) fn is_temporary(&self) -> bool {
        match self {
            Self::Refused(refused) => refused.is_temporary(),
            Self::Unreachable { .. } | Self::ConnectionLost { .. } => true,
            Self::Model(_) | Self::NotSupported(_) | Self::TimedOut(_) | Self::InvalidReply(_) => false,
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
            Self::NotSupported(_) => "not_supported".into(),
            Self::Refused(refused) => refused.status.to_string().into(),
            Self::Unreachable { .. } => "unreachable".into(),
            Self::ConnectionLost { .. } => "connection_lost".into(),
            Self::TimedOut(_) => "timeout".into(),
            Self::InvalidReply(_) => "invalid_reply".into(),
        }
    }

    /// Returns the message for the MCP client. The message does not identify the model's server.
    fn for_client(&self) -> &'static str {
        match self {
            Self::Model(_) => "it is not set up",
            Self::NotSupported(_) => "it cannot read this conversation",
            Self::Refused(refused) => refused.for_client(),
            Self::Unreachable { .. } | Self::ConnectionLost { .. } => "it cannot be reached; ask again later",
            Self::TimedOut(_) => "it did not reply in time",
            Self::InvalidReply(_) => "its reply cannot be read",
        }
    }

    /// Converts the failure into an error that contains the cause, and advice for the operator.
    pub(super) fn into_error(self, model: &Model) -> ProviderError {
        let for_client = self.for_client();
        self.explained(model).for_client(for_client)
    }

    fn explained(self, model: &Model) -> ProviderError {
        let Model { name, address, dialect, .. } = model;
        let at = address.as_ref().map(Address::origin).unwrap_or_default();
        let what = match self {
            Self::Model(error) => return ProviderError::new(error),
            Self::NotSupported(problem) => problem,
            Self::Refused(refused) => refused.explained(*dialect, name),
            Self::Unreachable { problem, tries } => {
                let start = if *dialect == Dialect::Ollama {
                    "; start the server with `ollama serve`"
                } else {
                    "; check that the server runs and that the URL is right"
                };
                format!("cannot connect{}: {problem}{start}", often(tries))
            }
            Self::ConnectionLost { problem, tries } => format!("the connection was lost{}: {problem}", often(tries)),
            Self::TimedOut(timeout) => {
                format!("no reply within {timeout:?}; set a longer `.timeout(…)` or a smaller `.max_tokens(…)`")
            }
            Self::InvalidReply(problem) => format!("the answer cannot be read: {problem}; check the URL"),
        };
        let text = format!("the model `{name}` at {at}: {what}");
        // The parts of the text should already hide the secrets. This line hides them where a part does not.
        ProviderError::new(model.secrets().hide(&text))
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Self::Model(error)
    }
}

impl Refusal {
    fn is_temporary(&self) -> bool {
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
    fn is_out_of_credit(&self) -> bool {
        self.code.as_deref() == Some("insufficient_quota")
    }

    fn explained(&self, dialect: Dialect, name: &str) -> String {
        let Self { status, said, .. } = self;
        let often = often(self.tries);
        let said = if said.is_empty() { String::new() } else { format!(": {said}") };
        match status {
            300..=399 => format!("the server redirects ({status}); set the URL that it redirects to"),
            // A server's message about a key contains a part of the key, so the message is not shown.
            401 => match dialect.key_variable() {
                Some(variable) => format!("the key is rejected (401); set a valid one in `{variable}`"),
                None => "the key is missing or rejected (401); set `MCP_MODEL_KEY` or `.api_key(…)`".to_owned(),
            },
            402 => format!("there is no credit left (402){said}"),
            403 => format!("the key has no access to this model (403){said}"),
            404 if dialect == Dialect::Ollama => {
                format!("the model is not installed (404){said}; install it with `ollama pull {name}`")
            }
            404 => format!("there is no such model, or the URL is wrong (404){said}"),
            413 => format!("the conversation is too large (413){said}"),
            429 if self.is_out_of_credit() => format!("there is no credit left (429){said}"),
            429 => match self.retry_after.filter(|wanted| *wanted > backoff::MAX_RETRY_AFTER) {
                Some(wanted) => {
                    format!("the server asks for a delay of {wanted:?} (429){said}; retry after this delay")
                }
                None => format!("the server is busy (429){often}{said}; send fewer requests"),
            },
            500.. => format!("the server failed ({status}){often}{said}"),
            _ => format!("the request is rejected ({status}){said}"),
        }
    }
}

fn often(tries: u32) -> String {
    if tries > 1 { format!(", tried {tries} times") } else { String::new() }
}
