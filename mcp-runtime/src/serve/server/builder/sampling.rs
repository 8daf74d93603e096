//! The settings of a server for sampling, which lets a tool ask a model.

use std::sync::Arc;

use super::Server;
use crate::engine::sample::{SamplingOrder, SamplingProvider};

impl Server {
    /// Sets a provider for tools that [sample](crate::Ctx::sample). If the client cannot sample, the server asks the
    /// provider's model. With a provider, every client can call tools with `requires(sampling)`. Default: none.
    pub fn sampling_provider(mut self, provider: impl SamplingProvider) -> Self {
        self.0.sampling.provider = Some(Arc::new(provider));
        self
    }

    /// Sets whether the client or the provider is asked first. Default: the client.
    pub fn sampling_order(mut self, order: SamplingOrder) -> Self {
        self.0.sampling.order = order;
        self
    }
}
