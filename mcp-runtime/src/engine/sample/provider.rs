//! Models that the server calls itself, and the sampling settings of a server.

use std::{borrow::Cow, fmt, pin::Pin, sync::Arc};

use crate::{
    engine::tool::{ToolDefinition, registered::RegisteredTool},
    wire::protocol::{
        capability::{Capabilities, Capability},
        sampling::{Sampled, SamplingRequest},
    },
};

/// A model that the server calls without the client. By default the server calls it only if the client cannot sample;
/// see [`Server::sampling_provider`](crate::Server::sampling_provider).
///
/// The feature `providers` has ready-made providers. An implementation gets a complete request and returns the model's
/// reply:
///
/// ```
/// use mcp_runtime::sample::{
///     Sampled, SamplingContent, SamplingFuture, SamplingProvider, SamplingRequest, StopReason,
/// };
///
/// /// Repeats the prompt.
/// struct Echo;
///
/// impl SamplingProvider for Echo {
///     fn sample<'a>(&'a self, request: &'a SamplingRequest) -> SamplingFuture<'a> {
///         Box::pin(async move {
///             let said = request.messages.last().map(|message| message.text()).unwrap_or_default();
///             Ok(Sampled::new(vec![SamplingContent::Text(said)], "echo").stopped(StopReason::EndTurn))
///         })
///     }
/// }
///
/// let server = mcp_runtime::Server::new("s", "1.0.0").sampling_provider(Echo);
/// ```
///
/// The runtime never retries a failed request. A provider can retry it, for example if the model's server is busy. When
/// a call is cancelled, the runtime drops the provider's future. Dropping this future must cancel the request.
pub trait SamplingProvider: Send + Sync + 'static {
    /// Asks the model.
    ///
    /// # Errors
    /// Fails if the model cannot be asked or returns nothing. The server logs the text of the error, so the text must
    /// not contain keys. The tool and the client get the [sentence for the client](ProviderError::for_client).
    fn sample<'a>(&'a self, request: &'a SamplingRequest) -> SamplingFuture<'a>;

    /// Returns what the model supports natively. The runtime describes the rest in the prompt. Default: nothing.
    fn abilities(&self) -> ProviderAbilities {
        ProviderAbilities::default()
    }

    /// Returns a configuration error, such as a missing key, which [`Server::build`](crate::Server::build) reports.
    /// Default: none.
    fn problem(&self) -> Option<String> {
        None
    }
}

impl<P: SamplingProvider + ?Sized> SamplingProvider for Arc<P> {
    fn sample<'a>(&'a self, request: &'a SamplingRequest) -> SamplingFuture<'a> {
        (**self).sample(request)
    }

    fn abilities(&self) -> ProviderAbilities {
        (**self).abilities()
    }

    fn problem(&self) -> Option<String> {
        (**self).problem()
    }
}

/// The future of a provider's reply.
pub type SamplingFuture<'a> = Pin<Box<dyn Future<Output = Result<Sampled, ProviderError>> + Send + 'a>>;

/// What the model behind a [`SamplingProvider`] supports natively.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProviderAbilities {
    /// Whether the model can reply with JSON that matches a schema. If so, the provider uses
    /// [`SamplingRequest::schema`].
    pub schema: bool,
    /// Whether the model can call the [tools](SamplingRequest::tools) of a request natively.
    pub tools: bool,
}

impl ProviderAbilities {
    /// Creates an empty set of abilities.
    pub fn new() -> Self {
        Self::default()
    }

    /// Declares that replies can match a JSON schema.
    #[must_use]
    pub fn schema(mut self) -> Self {
        self.schema = true;
        self
    }

    /// Declares that the model can call tools.
    #[must_use]
    pub fn tools(mut self) -> Self {
        self.tools = true;
        self
    }
}

/// The error of a provider: the full text for the server's log, and a short sentence for the client.
///
/// ```
/// use mcp_runtime::sample::ProviderError;
///
/// let error = ProviderError::new("http://10.0.0.7:8000 answers 503: CUDA out of memory").for_client("the model is busy");
/// assert_eq!(error.to_string(), "http://10.0.0.7:8000 answers 503: CUDA out of memory");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ProviderError {
    message: String,
    for_client: Cow<'static, str>,
}

impl ProviderError {
    /// Creates an error with this text, which the server logs. The client only learns that the model gave no reply.
    pub fn new(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), for_client: Cow::Borrowed("it gave no reply") }
    }

    /// Sets the sentence for the client. In the client's error, `the model cannot be asked: ` precedes this sentence.
    /// The sentence must not contain URLs, keys or text from a backend.
    #[must_use]
    pub fn for_client(mut self, sentence: impl Into<Cow<'static, str>>) -> Self {
        self.for_client = sentence.into();
        self
    }

    /// Logs the error and returns the sentence for the client.
    pub(super) fn report(self, tool: &str) -> Cow<'static, str> {
        crate::base::report::report_limited!("tool `{tool}`: the sampling provider failed: {}", self.message);
        self.for_client
    }
}

/// The order in which the client and the provider are asked by [`Ctx::sample`](crate::Ctx::sample).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SamplingOrder {
    /// The client if it can sample, else the server's provider.
    #[default]
    ClientFirst,
    /// The server's provider if there is one, else the client.
    ProviderFirst,
    /// Only the server's provider.
    ProviderOnly,
}

/// The server's provider, and the order in which the client and the provider are asked.
#[derive(Clone, Default)]
pub(crate) struct Sampling {
    pub(crate) provider: Option<Arc<dyn SamplingProvider>>,
    pub(crate) order: SamplingOrder,
}

impl Sampling {
    /// Returns the capabilities that clients do not need, because the provider replaces them. Without a provider, this
    /// set is empty.
    pub(crate) fn instead_of_clients(&self) -> Capabilities {
        match self.provider {
            Some(_) => Capabilities::of(&[Capability::Sampling, Capability::SamplingTools]),
            None => Capabilities::default(),
        }
    }

    /// Returns the capabilities that the tool does not require, but uses if the client supports them.
    pub(crate) fn of_use(&self, tool: &RegisteredTool) -> Capabilities {
        let ToolDefinition { requires, optional, .. } = &tool.definition;
        // Includes capabilities that the provider replaces: a client that supports them may be asked.
        let of_use = Capabilities::of(optional).union(Capabilities::of(requires)).without(tool.requires);
        match self.order {
            SamplingOrder::ProviderOnly => of_use.without(self.instead_of_clients()),
            _ => of_use,
        }
    }

    /// Returns a configuration error, if there is one.
    pub(crate) fn problem(&self) -> Option<String> {
        if let Some(provider) = &self.provider {
            return provider.problem();
        }
        let missing = self.order == SamplingOrder::ProviderOnly;
        missing.then(|| {
            "`SamplingOrder::ProviderOnly` needs a provider; add `.sampling_provider(…)` or remove `.sampling_order(…)`"
                .to_owned()
        })
    }
}
