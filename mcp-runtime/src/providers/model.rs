//! The models.

use std::{
    fmt::{self, Debug},
    sync::{Arc, OnceLock},
    time::Duration,
};

use reqwest::{Client, redirect};

use super::{
    address::Address,
    dialect::{Asked, Dialect},
    environment,
    error::ModelError,
    exchange::Exchange,
    failure::Failure,
    key::ApiKey,
    model_quirks::Learnt,
    names::Names,
};
use crate::{
    error::chain,
    sample::{ProviderAbilities, Sampled, SamplingFuture, SamplingProvider, SamplingRequest},
};

/// Whoever does not take a connection by then is not there.
const CONNECTING: Duration = Duration::from_secs(10);

/// A model that a server asks itself: see [the module](super).
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
    shared: Arc<Shared>,
}

/// What the clones of a model have in common.
#[derive(Default)]
struct Shared {
    client: OnceLock<Result<Client, ModelError>>,
    learnt: Learnt,
}

impl Model {
    /// A model of OpenAI, with the key in `OPENAI_API_KEY`.
    pub fn openai(name: impl Into<String>) -> Self {
        Self::openai_with(name, &environment::variable)
    }

    /// A model of a server that is asked as OpenAI's: vLLM, llama.cpp, LM Studio, OpenRouter and many more. The URL
    /// ends before `/chat/completions`. It is sent no key unless one is [given](Self::api_key).
    pub fn openai_compatible(url: &str, name: impl Into<String>) -> Self {
        let abilities = ProviderAbilities::new().schema().tools();
        Self::new(Dialect::Compatible, name.into(), abilities).url(url)
    }

    /// A model of Anthropic, with the key in `ANTHROPIC_API_KEY`.
    pub fn anthropic(name: impl Into<String>) -> Self {
        Self::anthropic_with(name, &environment::variable)
    }

    /// A model of Ollama, on this machine unless `OLLAMA_HOST` says otherwise.
    pub fn ollama(name: impl Into<String>) -> Self {
        Self::ollama_with(name, &environment::variable)
    }

    /// The key, in place of what the environment has.
    #[must_use]
    pub fn api_key(mut self, key: impl AsRef<str>) -> Self {
        self.key = ApiKey::new(key.as_ref());
        self
    }

    /// Where it is, if not at its usual place: a gateway's URL, to which the rest of the path is added
    /// (`/chat/completions`, `/v1/messages`, `/api/chat`). The key is sent there.
    #[must_use]
    pub fn url(mut self, url: &str) -> Self {
        self.address = Address::read(url, &self.name);
        // Another client, and nothing is known of what is there.
        self.shared = Arc::default();
        self
    }

    /// How long a reply may take, everything included. Default: two minutes.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How often it is asked again where the server is busy, fails or cannot be reached. Default: twice.
    #[must_use]
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// The server knows no schemas: they are told in words.
    #[must_use]
    pub fn without_schema(mut self) -> Self {
        self.abilities.schema = false;
        self
    }

    /// The model calls no tools: they are asked for by a schema, or in words.
    #[must_use]
    pub fn without_tools(mut self) -> Self {
        self.abilities.tools = false;
        self
    }

    pub(super) fn openai_with(name: impl Into<String>, variable: &dyn Fn(&str) -> Option<String>) -> Self {
        let model = Self::new(Dialect::OpenAi, name.into(), ProviderAbilities::new().schema().tools());
        model.url("https://api.openai.com/v1").keyed(variable)
    }

    pub(super) fn anthropic_with(name: impl Into<String>, variable: &dyn Fn(&str) -> Option<String>) -> Self {
        let model = Self::new(Dialect::Anthropic, name.into(), ProviderAbilities::new().tools());
        model.url("https://api.anthropic.com").keyed(variable)
    }

    pub(super) fn ollama_with(name: impl Into<String>, variable: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut model = Self::new(Dialect::Ollama, name.into(), ProviderAbilities::new().schema().tools());
        model.address = Address::ollama(&variable("OLLAMA_HOST").unwrap_or_default(), &model.name);
        model
    }

    fn new(dialect: Dialect, name: String, abilities: ProviderAbilities) -> Self {
        let address = Err(ModelError::MissingUrl);
        let (timeout, retries) = (Duration::from_secs(120), 2);
        Self { dialect, name, address, key: None, timeout, retries, abilities, shared: Arc::default() }
    }

    fn keyed(mut self, variable: &dyn Fn(&str) -> Option<String>) -> Self {
        self.key = self.dialect.key_variable().and_then(variable).as_deref().and_then(ApiKey::new);
        self
    }

    async fn ask(&self, request: &SamplingRequest) -> Result<Sampled, Failure> {
        let (address, client) = self.ready()?;
        let url = address.join(self.dialect.path());
        let exchange = Exchange { client, url, dialect: self.dialect, key: self.key.as_ref(), retries: self.retries };
        let asking = async {
            loop {
                let known = self.shared.learnt.get();
                let (names, key) = (Names::of(request), self.key.as_ref());
                let asked = Asked { model: &self.name, request, abilities: self.abilities, known, names, key };
                let body = self.dialect.body(&asked)?;
                match exchange.post(&body).await {
                    Ok(reply) => return self.dialect.read(&asked, &reply),
                    // Ends: a thing is learnt once.
                    Err(Failure::Refused(refused)) if self.shared.learnt.learn(known, &refused, &body) => {}
                    Err(failure) => return Err(failure),
                }
            }
        };
        // Polled with the timer, and dropped with it.
        tokio::time::timeout(self.timeout, asking).await.unwrap_or(Err(Failure::TimedOut(self.timeout)))
    }

    /// Whatever is needed to ask it.
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
            let asking = self.ask(request);
            #[cfg(feature = "tracing")]
            let asking = super::watched::watched(self, request, asking);
            asking.await.map_err(|failure| failure.into_error(self))
        })
    }

    fn abilities(&self) -> ProviderAbilities {
        let mut abilities = self.abilities;
        abilities.tools &= !self.shared.learnt.get().has_no_tools;
        abilities
    }

    fn problem(&self) -> Option<String> {
        self.ready().err().map(|error| error.to_string())
    }
}

/// The key is not in it.
impl Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = self.address.as_ref().map_or("", Address::as_str);
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
    // A redirected request would carry the key elsewhere.
    let client = Client::builder().redirect(redirect::Policy::none()).referer(false).connect_timeout(CONNECTING);
    let client = client.user_agent(concat!("mcp-runtime/", env!("CARGO_PKG_VERSION")));
    // What needs no certificates is not to fail where the system has none.
    let client = if address.is_https() { client } else { client.tls_certs_only([]) };
    if address.is_here() { client.no_proxy() } else { client }.build()
}
