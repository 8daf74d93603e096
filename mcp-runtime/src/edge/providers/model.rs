//! The public type [`Model`].

use std::{
    fmt::{self, Debug},
    sync::{Arc, OnceLock},
    time::Duration,
};

use reqwest::{Client, redirect};

use super::{
    address::Address,
    dialect::{Dialect, ModelRequest},
    error::ModelError,
    exchange::ModelExchange,
    failure::Failure,
    model_quirks::Quirks,
    names::ToolNames,
    secrets::Secrets,
};
use crate::{
    base::{api_key::ApiKey, error::chain, mutex::Mutex},
    engine::{
        call::observer::{ChatEnd, ChatRequest, Observer as _, observer},
        sample::{ProviderAbilities, Sampled, SamplingFuture, SamplingProvider, SamplingRequest, StopReason},
    },
};

/// How long a connection may take to open.
const CONNECTING: Duration = Duration::from_secs(10);

/// A model that the server calls itself. See [the module](super).
///
/// ```
/// use std::time::Duration;
///
/// use mcp_runtime::providers::Model;
///
/// let small = Model::openai("gpt-5-mini").retries(5);
/// let local = Model::openai_compatible("http://127.0.0.1:8000/v1", "qwen3").without_tools();
/// let slow = Model::ollama("llama3.2").timeout(Duration::from_secs(600));
/// ```
#[derive(Clone)]
pub struct Model {
    pub(super) dialect: Dialect,
    pub(super) name: String,
    pub(super) address: Result<Address, ModelError>,
    pub(super) key: Option<ApiKey>,
    timeout: Duration,
    retries: u32,
    abilities: ProviderAbilities,
    shared: Arc<SharedModel>,
}

/// The state that the clones of a model share.
#[derive(Default)]
struct SharedModel {
    client: OnceLock<Result<Client, ModelError>>,
    quirks: Mutex<Quirks>,
}

impl Model {
    /// Creates a client for a model of OpenAI. It reads the key from `OPENAI_API_KEY`.
    pub fn openai(name: impl Into<String>) -> Self {
        Self::with_variables(Dialect::OpenAi, name.into(), &variable)
    }

    /// Creates a client for a server with OpenAI's API: vLLM, llama.cpp, LM Studio, OpenRouter and many more. `url`
    /// does not include `/chat/completions`. No key is sent unless you [set](Self::api_key) one.
    pub fn openai_compatible(url: &str, name: impl Into<String>) -> Self {
        Self::with_variables(Dialect::Compatible, name.into(), &variable).url(url)
    }

    /// Creates a client for a model of Anthropic. It reads the key from `ANTHROPIC_API_KEY`.
    pub fn anthropic(name: impl Into<String>) -> Self {
        Self::with_variables(Dialect::Anthropic, name.into(), &variable)
    }

    /// Creates a client for a model of Ollama, on the local machine unless `OLLAMA_HOST` is set.
    pub fn ollama(name: impl Into<String>) -> Self {
        Self::with_variables(Dialect::Ollama, name.into(), &variable)
    }

    /// Sets the API key, which replaces the key from the environment.
    #[must_use]
    pub fn api_key(mut self, key: impl AsRef<str>) -> Self {
        self.key = ApiKey::new(key.as_ref());
        self
    }

    /// Sets the URL of the API, which replaces the default URL. The client appends `/chat/completions`, `/v1/messages`
    /// or `/api/chat`, and sends the key to this URL. Logs and errors show only the scheme, host and port of the URL.
    #[must_use]
    pub fn url(mut self, url: &str) -> Self {
        self.address = Address::read(url, &self.name);
        // The new server may need another HTTP client, and its quirks are not known yet.
        self.shared = Arc::default();
        self
    }

    /// Sets how long a reply may take, including retries. Default: two minutes.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets how many times a request is retried if the server is busy, fails or cannot be reached. Default: twice.
    #[must_use]
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// Makes requests describe schemas in the prompt. Call this method if the server does not support schemas.
    #[must_use]
    pub fn without_schema(mut self) -> Self {
        self.abilities.schema = false;
        self
    }

    /// Makes requests describe tools in a schema or in the prompt. Call this method if the model does not support
    /// tools.
    #[must_use]
    pub fn without_tools(mut self) -> Self {
        self.abilities.tools = false;
        self
    }

    /// Creates a model whose address and key are the defaults of the dialect, or come from these variables.
    pub(super) fn with_variables(dialect: Dialect, name: String, variable: &dyn Fn(&str) -> Option<String>) -> Self {
        let abilities = ProviderAbilities::new().tools();
        let abilities = if dialect == Dialect::Anthropic { abilities } else { abilities.schema() };
        let address = match dialect {
            Dialect::OpenAi => Address::read("https://api.openai.com/v1", &name),
            Dialect::Anthropic => Address::read("https://api.anthropic.com", &name),
            Dialect::Ollama => Address::ollama(&variable("OLLAMA_HOST").unwrap_or_default(), &name),
            Dialect::Compatible => Err(ModelError::MissingUrl),
        };
        let key = dialect.key_variable().and_then(variable).as_deref().and_then(ApiKey::new);
        let (timeout, retries) = (Duration::from_secs(120), 2);
        Self { dialect, name, address, key, timeout, retries, abilities, shared: Arc::default() }
    }

    async fn ask(&self, request: &SamplingRequest) -> Result<Sampled, Failure> {
        let (address, client) = self.ready()?;
        let url = address.join(self.dialect.path());
        let secrets = self.secrets();
        let exchange = ModelExchange { client, url, dialect: self.dialect, secrets, retries: self.retries };
        let asking = async {
            let mut known = self.quirks();
            loop {
                let (names, abilities) = (ToolNames::of(request), self.abilities);
                let asked = ModelRequest { model: &self.name, request, abilities, known, names, secrets };
                let body = self.dialect.body(&asked)?;
                let failure = match exchange.post(&body).await {
                    Ok(reply) => return self.dialect.read(&asked, &reply),
                    Err(failure) => failure,
                };
                // The loop ends, because each quirk is learned once.
                let more =
                    if let Failure::Refused(refused) = &failure { known.with_cause(refused, &body) } else { None };
                known = more.ok_or(failure)?;
                *self.shared.quirks.lock() = known;
            }
        };
        // The timeout drops the request.
        tokio::time::timeout(self.timeout, asking).await.unwrap_or(Err(Failure::TimedOut(self.timeout)))
    }

    fn quirks(&self) -> Quirks {
        *self.shared.quirks.lock()
    }

    /// Returns what must not appear in a log or an error.
    pub(super) fn secrets(&self) -> Secrets<'_> {
        Secrets { key: self.key.as_ref(), address: self.address.as_ref().ok() }
    }

    /// Returns the parts of a request that telemetry records.
    fn chat(&self, request: &SamplingRequest) -> ChatRequest<'_> {
        let address = self.address.as_ref().ok();
        ChatRequest {
            provider: self.dialect.provider(),
            model: &self.name,
            max_tokens: request.max_tokens,
            temperature: request.temperature,
            wants_json: request.schema.is_some(),
            host: address.map(Address::host),
            port: address.and_then(Address::port),
        }
    }

    /// Returns the address and the HTTP client.
    fn ready(&self) -> Result<(&Address, &Client), ModelError> {
        let address = self.address.as_ref().map_err(Clone::clone)?;
        match (&self.key, self.dialect.key_variable()) {
            (None, Some(variable)) => return Err(ModelError::MissingKey { model: self.name.clone(), variable }),
            (Some(key), _) if !key.is_sendable() => return Err(ModelError::Key { model: self.name.clone() }),
            _ => {}
        }
        let client = self.shared.client.get_or_init(|| {
            let client = client(address).map_err(|error| chain(&error));
            client.map_err(|problem| ModelError::Connections { model: self.name.clone(), problem })
        });
        Ok((address, client.as_ref().map_err(Clone::clone)?))
    }
}

impl SamplingProvider for Model {
    fn sample<'a>(&'a self, request: &'a SamplingRequest) -> SamplingFuture<'a> {
        Box::pin(async move {
            let result = observer().chat(&self.chat(request), self.ask(request), chat_end).await;
            result.map_err(|failure| failure.into_error(self))
        })
    }

    fn abilities(&self) -> ProviderAbilities {
        let mut abilities = self.abilities;
        abilities.tools &= !self.quirks().has_no_tools;
        abilities
    }

    fn problem(&self) -> Option<String> {
        self.ready().err().map(|error| error.to_string())
    }
}

/// Returns the parts of a reply or a failure that telemetry records.
fn chat_end(result: &Result<Sampled, Failure>) -> ChatEnd<'_> {
    match result {
        Ok(reply) => ChatEnd::Replied {
            model: &reply.model,
            stop_reason: reply.stop_reason.as_ref().map(StopReason::as_str),
            input_tokens: reply.usage.map(|usage| usage.input),
            output_tokens: reply.usage.map(|usage| usage.output),
        },
        Err(failure) => ChatEnd::Failed(failure.kind()),
    }
}

/// Shows neither the key nor the path of the URL.
impl Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = self.address.as_ref().map(Address::origin).unwrap_or_default();
        f.debug_struct("Model")
            .field("dialect", &self.dialect)
            .field("name", &self.name)
            .field("url", &url)
            .field("key", &self.key)
            .field("timeout", &self.timeout)
            .field("retries", &self.retries)
            .field("abilities", &self.abilities)
            .finish_non_exhaustive()
    }
}

fn client(address: &Address) -> reqwest::Result<Client> {
    // A redirect would send the key to another server.
    let client = Client::builder().redirect(redirect::Policy::none()).referer(false).connect_timeout(CONNECTING);
    let client = client.user_agent(concat!("mcp-runtime/", env!("CARGO_PKG_VERSION")));
    // `http` needs no certificates, so it must work on a system without them.
    let client = if address.is_https() { client } else { client.tls_certs_only([]) };
    if address.is_here() { client.no_proxy() } else { client }.build()
}

/// Returns the trimmed value of an environment variable, or `None` if the value is empty or missing.
pub(super) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}
