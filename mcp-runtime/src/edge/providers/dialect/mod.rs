//! The request and response formats of each API.

mod anthropic;
mod by_schema;
mod ollama;
mod openai;
mod parts;
mod reply;
mod strict;

use reqwest::RequestBuilder;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{failure::Failure, model_quirks::Quirks, names::ToolNames, secrets::Secrets};
use crate::{
    base::api_key::ApiKey,
    engine::sample::{ProviderAbilities, ResponseSchema, Sampled, SamplingRequest, SamplingTool, ToolChoice},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    OpenAi,
    /// OpenAI's format with its older field names, for compatible servers.
    Compatible,
    Anthropic,
    Ollama,
}

/// A request to one model.
pub(super) struct ModelRequest<'a> {
    pub(super) model: &'a str,
    pub(super) request: &'a SamplingRequest,
    pub(super) abilities: ProviderAbilities,
    pub(super) known: Quirks,
    pub(super) names: ToolNames,
    pub(super) secrets: Secrets<'a>,
}

impl Dialect {
    /// Returns the path of the API, which is appended to the model's URL.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::OpenAi | Self::Compatible => "chat/completions",
            Self::Anthropic => "v1/messages",
            Self::Ollama => "api/chat",
        }
    }

    pub(super) fn authorize(self, request: RequestBuilder, key: Option<&ApiKey>) -> RequestBuilder {
        let (name, scheme) = match self {
            Self::Anthropic => ("x-api-key", ""),
            _ => ("authorization", "Bearer "),
        };
        let request = match self {
            Self::Anthropic => request.header("anthropic-version", "2023-06-01"),
            _ => request,
        };
        match key.and_then(|key| key.header(scheme)) {
            Some(key) => request.header(name, key),
            None => request,
        }
    }

    /// Returns the name of the environment variable that holds the key, if the API requires a key.
    pub(super) fn key_variable(self) -> Option<&'static str> {
        match self {
            Self::OpenAi => Some("OPENAI_API_KEY"),
            Self::Anthropic => Some("ANTHROPIC_API_KEY"),
            Self::Compatible | Self::Ollama => None,
        }
    }

    /// Returns OpenTelemetry's name of the provider.
    pub(super) fn provider(self) -> &'static str {
        match self {
            Self::OpenAi | Self::Compatible => "openai",
            Self::Anthropic => "anthropic",
            Self::Ollama => "ollama",
        }
    }

    pub(super) fn body(self, asked: &ModelRequest<'_>) -> Result<Value, Failure> {
        match self {
            Self::OpenAi => openai::body(asked, "max_completion_tokens"),
            Self::Compatible => openai::body(asked, "max_tokens"),
            Self::Anthropic => anthropic::body(asked),
            Self::Ollama => ollama::body(asked),
        }
    }

    pub(super) fn read(self, asked: &ModelRequest<'_>, answer: &[u8]) -> Result<Sampled, Failure> {
        match self {
            Self::OpenAi | Self::Compatible => openai::read(asked, json(asked, answer)?),
            Self::Anthropic => Ok(anthropic::read(asked, json(asked, answer)?)),
            Self::Ollama => Ok(ollama::read(asked, json(asked, answer)?)),
        }
    }
}

impl<'a> ModelRequest<'a> {
    /// Returns the tools, if the model supports them.
    fn tools(&self) -> &'a [SamplingTool] {
        if self.abilities.tools { &self.request.tools } else { &[] }
    }

    fn has_tools(&self) -> bool {
        !self.tools().is_empty()
    }

    /// Returns the tool choice, if there are tools.
    fn tool_choice(&self) -> Option<ToolChoice> {
        self.request.tool_choice.filter(|_| self.has_tools())
    }

    fn schema(&self) -> Option<&'a ResponseSchema> {
        self.request.schema.as_ref().filter(|_| self.abilities.schema)
    }

    /// Returns the system prompt, unless it is empty, because some APIs reject an empty system prompt.
    fn system_prompt(&self) -> Option<&'a str> {
        self.request.system_prompt.as_deref().filter(|prompt| !prompt.trim().is_empty())
    }

    fn temperature(&self) -> Option<f64> {
        self.request.temperature.filter(|_| !self.known.has_its_temperature)
    }

    fn stop_sequences(&self) -> Option<Value> {
        let sequences = &self.request.stop_sequences;
        (!sequences.is_empty()).then(|| sequences.clone().into())
    }

    /// Returns the model's name as the server reports it in `said`, or else the name in the request.
    fn model(&self, said: Option<String>) -> String {
        said.filter(|name| !name.is_empty()).unwrap_or_else(|| self.model.to_owned())
    }

    fn not_supported(&self, what: &str, mime_type: &str) -> Failure {
        Failure::NotSupported(format!("it does not accept {what} of the type `{mime_type}`"))
    }
}

fn json<T: DeserializeOwned>(asked: &ModelRequest<'_>, answer: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(answer).map_err(|error: serde_json::Error| {
        // The error may quote the answer, and the answer may contain the secrets.
        let error = asked.secrets.quote(&error.to_string());
        let answer = asked.secrets.quote(&String::from_utf8_lossy(answer));
        Failure::InvalidReply(format!("{error}, in `{answer}`"))
    })
}
