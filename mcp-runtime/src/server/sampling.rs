//! Who answers the tools of a server that sample.

use std::sync::Arc;

use super::{Server, registry::Registered};
use crate::{
    protocol::capability::{Capabilities, Capability},
    sample::{SamplingOrder, SamplingProvider},
    tool::ToolDefinition,
};

/// The provider, and when it is asked.
#[derive(Clone, Default)]
pub(crate) struct Sampling {
    pub(crate) provider: Option<Arc<dyn SamplingProvider>>,
    pub(crate) order: SamplingOrder,
}

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

impl Sampling {
    /// What clients need not be able to do where there is a provider.
    pub(super) fn instead_of_clients(&self) -> Capabilities {
        match self.provider {
            Some(_) => Capabilities::of(&[Capability::Sampling, Capability::SamplingTools]),
            None => Capabilities::default(),
        }
    }

    /// What a tool makes use of where a client has it, and can do without.
    pub(super) fn of_use(&self, tool: &Registered) -> Capabilities {
        let ToolDefinition { requires, optional, .. } = &tool.definition;
        // What the provider does in the place of clients they may still do themselves.
        let of_use = Capabilities::of(optional).union(Capabilities::of(requires)).without(tool.requires);
        match self.order {
            SamplingOrder::ProviderOnly => of_use.without(self.instead_of_clients()),
            _ => of_use,
        }
    }

    /// What is wrong with it.
    pub(super) fn problem(&self) -> Option<String> {
        if let Some(provider) = &self.provider {
            return provider.problem();
        }
        let missing = self.order == SamplingOrder::ProviderOnly;
        missing.then(|| {
            "`SamplingOrder::ProviderOnly` needs a provider; add `.sampling_provider(…)`, or leave the order out"
                .to_owned()
        })
    }
}
