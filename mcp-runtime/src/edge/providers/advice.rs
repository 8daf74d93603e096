//! Explains failures of a request to the operator, with advice.

use super::{
    address::Address,
    backoff,
    dialect::Dialect,
    failure::{Failure, Refusal},
    model::Model,
};
use crate::engine::sample::ProviderError;

impl Failure {
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
            Self::Unsayable(problem) => problem,
            Self::Refused(refused) => refused.explained(*dialect, name),
            Self::Unreachable { problem, tries } => {
                let start = if *dialect == Dialect::Ollama {
                    "; start the server with `ollama serve`"
                } else {
                    "; check that the server runs and that the URL is right"
                };
                format!("cannot connect{}: {problem}{start}", often(tries))
            }
            Self::Broken { problem, tries } => format!("the connection was lost{}: {problem}", often(tries)),
            Self::TimedOut(timeout) => {
                format!("no reply within {timeout:?}; set a longer `.timeout(…)` or a smaller `.max_tokens(…)`")
            }
            Self::Garbled(problem) => format!("the answer cannot be read: {problem}; check the URL"),
        };
        let text = format!("the model `{name}` at {at}: {what}");
        // The parts of the text should already hide the secrets. This line hides them where a part does not.
        ProviderError::new(model.secrets().hide(&text))
    }
}

impl Refusal {
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
