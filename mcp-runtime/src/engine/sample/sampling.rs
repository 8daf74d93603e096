//! The sampling settings of a server.

use std::sync::Arc;

use super::{SamplingOrder, SamplingProvider};
use crate::{
    engine::tool::{ToolDefinition, registered::RegisteredTool},
    wire::protocol::capability::{Capabilities, Capability},
};

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
