//! Models that the server asks itself.

use std::{fmt, pin::Pin};

use super::{reply::Sampled, request::SamplingRequest};

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
    /// It cannot be asked, or gave nothing. The error's text goes to the tool and perhaps to the client: no keys in it.
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

/// Why a provider has no reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ProviderError(String);

impl ProviderError {
    /// An error of these words, for whoever runs the server; the model may read them as well.
    pub fn new(message: impl fmt::Display) -> Self {
        Self(message.to_string())
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
