//! Why there is no reply, and what the operator can do about it.

use std::time::Duration;

use super::{address::Address, dialect::Dialect, error::ModelError, model::Model, retry};
use crate::sample::ProviderError;

#[derive(Debug)]
pub(super) enum Failure {
    /// It cannot be asked at all.
    Model(ModelError),
    /// The API has no words for what is to be said.
    Unsayable(String),
    /// The server answers by an error.
    Refused(Box<Refused>),
    /// Nobody takes the connection.
    Unreachable { problem: String, tries: u32 },
    /// The connection ends before the answer does.
    Broken { problem: String, tries: u32 },
    /// The time is over.
    TimedOut(Duration),
    /// The answer is no reply.
    Garbled(String),
}

#[derive(Debug)]
pub(super) struct Refused {
    pub(super) status: u16,
    /// The server's words, without the key.
    pub(super) said: String,
    /// The server's name for it.
    pub(super) code: Option<String>,
    pub(super) retry_after: Option<Duration>,
    pub(super) tries: u32,
}

impl Failure {
    /// It was the last of so many.
    pub(super) fn after(mut self, total: u32) -> Self {
        match &mut self {
            Self::Refused(refused) => refused.tries = total,
            Self::Unreachable { tries, .. } | Self::Broken { tries, .. } => *tries = total,
            _ => {}
        }
        self
    }

    /// Whether another try may do better.
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

    /// One of a few words, or a status.
    #[cfg(feature = "tracing")]
    pub(super) fn kind(&self) -> String {
        match self {
            Self::Model(_) => "not_configured".to_owned(),
            Self::Unsayable(_) => "not_supported".to_owned(),
            Self::Refused(refused) => refused.status.to_string(),
            Self::Unreachable { .. } => "unreachable".to_owned(),
            Self::Broken { .. } => "connection_lost".to_owned(),
            Self::TimedOut(_) => "timeout".to_owned(),
            Self::Garbled(_) => "invalid_reply".to_owned(),
        }
    }

    /// What the client is told, which names nothing of the model's server.
    fn for_client(&self) -> &'static str {
        match self {
            Self::Model(_) => "it is not set up",
            Self::Unsayable(_) => "it cannot read this conversation",
            Self::Refused(refused) => refused.for_client(),
            Self::Unreachable { .. } | Self::Broken { .. } => "it cannot be reached; ask again later",
            Self::TimedOut(_) => "it did not reply in time",
            Self::Garbled(_) => "its reply cannot be read",
        }
    }

    /// What goes wrong, and what to do.
    pub(super) fn into_error(self, model: &Model) -> ProviderError {
        let for_client = self.for_client();
        self.explained(model).for_client(for_client)
    }

    fn explained(self, model: &Model) -> ProviderError {
        let Model { name, address, dialect, .. } = model;
        let at = address.as_ref().map_or("", Address::as_str);
        let what = match self {
            Self::Model(error) => return ProviderError::new(error),
            Self::Unsayable(problem) => problem,
            Self::Refused(refused) => refused.explained(*dialect, name),
            Self::Unreachable { problem, tries } => {
                let start = if *dialect == Dialect::Ollama {
                    "; `ollama serve` starts it"
                } else {
                    "; is it running, and is this its URL?"
                };
                format!("no connection{}: {problem}{start}", often(tries))
            }
            Self::Broken { problem, tries } => format!("the connection was lost{}: {problem}", often(tries)),
            Self::TimedOut(timeout) => {
                format!("no reply within {timeout:?}; allow more by `.timeout(…)`, or fewer tokens by `.max_tokens(…)`")
            }
            Self::Garbled(problem) => format!("the answer is no reply: {problem}; is this the right URL?"),
        };
        let text = format!("the model `{name}` at {at}: {what}");
        // Whatever quotes a server has left it out already. Should one be forgotten, it is left out here.
        ProviderError::new(model.key.as_ref().map_or_else(|| text.clone(), |key| key.hide(&text)))
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Self::Model(error)
    }
}

impl Refused {
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

    /// OpenAI's name for an account that is empty.
    fn is_out_of_credit(&self) -> bool {
        self.code.as_deref() == Some("insufficient_quota")
    }

    fn explained(&self, dialect: Dialect, name: &str) -> String {
        let Self { status, said, .. } = self;
        let often = often(self.tries);
        let said = if said.is_empty() { String::new() } else { format!(": {said}") };
        match status {
            300..=399 => format!("the server sends elsewhere ({status}); give the URL it sends to"),
            // What a server says of a key shows a part of it.
            401 => match dialect.key_variable() {
                Some(variable) => format!("the key is refused (401); set another one in `{variable}`"),
                None => "the key is missing or refused (401); give one by `.api_key(…)` or `MCP_MODEL_KEY`".to_owned(),
            },
            402 => format!("there is no credit left (402){said}"),
            403 => format!("the key may not ask this model (403){said}"),
            404 if dialect == Dialect::Ollama => {
                format!("it is not there (404){said}; `ollama pull {name}` fetches it")
            }
            404 => format!("there is no such model, or the URL is wrong (404){said}"),
            413 => format!("the conversation is too large (413){said}"),
            429 if self.is_out_of_credit() => format!("there is no credit left (429){said}"),
            429 => match self.retry_after.filter(|wanted| *wanted > retry::LONGEST) {
                Some(wanted) => format!("the server is busy for {wanted:?} (429){said}; ask later"),
                None => format!("the server is busy (429){often}{said}; ask less often"),
            },
            500.. => format!("the server fails ({status}){often}{said}"),
            _ => format!("the request is refused ({status}){said}"),
        }
    }
}

fn often(tries: u32) -> String {
    if tries > 1 { format!(" {tries} times") } else { String::new() }
}
