//! The settings of a server whose tools sample.

use std::sync::Arc;

use super::Server;
use crate::sample::{SamplingOrder, SamplingProvider};

impl Server {
    /// Who answers tools that [sample](crate::Ctx::sample) where the client cannot: a model that the server asks itself.
    /// With it a tool that `requires(sampling)` can be called by every client. Default: nobody.
    pub fn sampling_provider(mut self, provider: impl SamplingProvider) -> Self {
        self.sampling.provider = Some(Arc::new(provider));
        self
    }

    /// Whether the client or the provider is asked first. Default: the client.
    pub fn sampling_order(mut self, order: SamplingOrder) -> Self {
        self.sampling.order = order;
        self
    }
}
