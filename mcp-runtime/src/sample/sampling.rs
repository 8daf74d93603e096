//! Who answers the tools of a server that sample.

use std::sync::Arc;

use super::{SamplingOrder, SamplingProvider};
use crate::{
    protocol::capability::{Capabilities, Capability},
    tool::{ToolDefinition, registry::RegisteredTool},
};

/// The provider, and when it is asked.
#[derive(Clone, Default)]
pub(crate) struct Sampling {
    pub(crate) provider: Option<Arc<dyn SamplingProvider>>,
    pub(crate) order: SamplingOrder,
}

impl Sampling {
    /// What clients need not be able to do where there is a provider.
    pub(crate) fn instead_of_clients(&self) -> Capabilities {
        match self.provider {
            Some(_) => Capabilities::of(&[Capability::Sampling, Capability::SamplingTools]),
            None => Capabilities::default(),
        }
    }

    /// What a tool makes use of where a client has it, and can do without.
    pub(crate) fn of_use(&self, tool: &RegisteredTool) -> Capabilities {
        let ToolDefinition { requires, optional, .. } = &tool.definition;
        // What the provider does in the place of clients they may still do themselves.
        let of_use = Capabilities::of(optional).union(Capabilities::of(requires)).without(tool.requires);
        match self.order {
            SamplingOrder::ProviderOnly => of_use.without(self.instead_of_clients()),
            _ => of_use,
        }
    }

    /// What is wrong with it.
    pub(crate) fn problem(&self) -> Option<String> {
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
