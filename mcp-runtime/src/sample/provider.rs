//! Models that the server asks itself.

use std::{borrow::Cow, fmt, pin::Pin};

use crate::protocol::sampling::{Sampled, SamplingRequest};

/// Whoever can ask a model for the server: what answers where the client cannot, see
/// [`Server::sampling_provider`](crate::Server::sampling_provider).
///
/// With the feature `providers` there are some ready-made. One of your own gets a request that is complete, and gives
/// the model's reply:
///
/// ```
/// use mcp_runtime::sample::{
///     Sampled, SamplingContent, SamplingFuture, SamplingProvider, SamplingRequest, StopReason,
/// };
///
/// /// Says what it was told.
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
/// It is asked again only by the tool that asks: what is worth repeating (a server that is busy) is repeated within.
/// A call that is cancelled drops the future, and the request with it.
pub trait SamplingProvider: Send + Sync + 'static {
    /// Asks the model.
    ///
    /// # Errors
    /// It cannot be asked, or gave nothing. The error's text goes to the server's log: no keys in it. The tool, and with
    /// it the client, gets the error's [sentence for the client](ProviderError::for_client).
    fn sample<'a>(&'a self, request: &'a SamplingRequest) -> SamplingFuture<'a>;

    /// What the model does by itself. The rest is asked of it in words. Default: nothing.
    fn abilities(&self) -> ProviderAbilities {
        ProviderAbilities::default()
    }

    /// What is wrong with it before it is asked anything, such as a key that is missing: a mistake that
    /// [`Server::build`](crate::Server::build) reports. Default: nothing.
    fn problem(&self) -> Option<String> {
        None
    }
}

/// A model at work.
pub type SamplingFuture<'a> = Pin<Box<dyn Future<Output = Result<Sampled, ProviderError>> + Send + 'a>>;

/// What a model does by itself, behind a [`SamplingProvider`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProviderAbilities {
    /// It answers by a JSON schema: [`SamplingRequest::schema`] is looked at.
    pub schema: bool,
    /// It calls tools: [`SamplingRequest::tools`] and [`SamplingRequest::tool_choice`] are looked at.
    pub tools: bool,
}

impl ProviderAbilities {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// It answers by a JSON schema.
    #[must_use]
    pub fn schema(mut self) -> Self {
        self.schema = true;
        self
    }

    /// It calls tools.
    #[must_use]
    pub fn tools(mut self) -> Self {
        self.tools = true;
        self
    }
}

/// Why a provider has no reply: the whole text for the server's log, and a short sentence for the client.
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
    /// Creates an error with this text, which the server writes to its log. The client is told that the model gave no
    /// reply.
    pub fn new(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), for_client: Cow::Borrowed("it gave no reply") }
    }

    /// Sets what the client is told. It stands after `the model cannot be asked: `, and names no URL, no key and nothing
    /// that a backend said.
    #[must_use]
    pub fn for_client(mut self, sentence: impl Into<Cow<'static, str>>) -> Self {
        self.for_client = sentence.into();
        self
    }

    /// Writes the error to the server's log, and returns what the client is told.
    pub(super) fn report(self, tool: &str) -> Cow<'static, str> {
        crate::report::report_limited!("tool `{tool}`: the sampling provider failed: {}", self.message);
        self.for_client
    }
}

/// Who answers [`Ctx::sample`](crate::Ctx::sample).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SamplingOrder {
    /// The client, if it can; otherwise the server's provider.
    #[default]
    ClientFirst,
    /// The server's provider, if it has one; otherwise the client.
    ProviderFirst,
    /// The server's provider alone.
    ProviderOnly,
}
