//! What a server offers besides tools, and to whom.

use std::borrow::Cow;

use super::{Remote, RemoteError, settings::ServerPlace};
use crate::{
    engine::{call::operation::Operation, tool::registered::RegisteredTool},
    wire::protocol::revision::Revision,
};

/// What a server offers, as its capabilities say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RemoteOffers {
    pub(crate) tools: bool,
    pub(crate) prompts: bool,
    pub(crate) resources: bool,
    pub(crate) completions: bool,
}

impl Remote {
    /// Asks the server what it offers. Connects if necessary.
    ///
    /// # Errors
    /// Fails if the server cannot be reached.
    pub(crate) async fn offers(&self) -> Result<RemoteOffers, RemoteError> {
        if let ServerPlace::Service(service) = &self.settings.target {
            let has = |method: &str| service.0.has_method(method);
            return Ok(RemoteOffers {
                tools: true,
                prompts: has("prompts/list"),
                resources: has("resources/list"),
                completions: has("completion/complete"),
            });
        }
        let facts = self.facts().await?;
        let has = |name: &str| facts.capabilities.get(name).is_some_and(|offered| !offered.is_null());
        // 2024-11-05 has completions without a capability.
        let completions = has("completions") || facts.revision() == Some(Revision::V2024_11_05);
        Ok(RemoteOffers { tools: has("tools"), prompts: has("prompts"), resources: has("resources"), completions })
    }

    /// Returns the instructions of the server for the model. Connects if necessary.
    ///
    /// # Errors
    /// Fails if the server cannot be reached.
    pub(crate) async fn instructions(&self) -> Result<Option<String>, RemoteError> {
        match &self.settings.target {
            ServerPlace::Service(service) => Ok(service.0.instructions()),
            _ => Ok(self.facts().await?.instructions.clone()),
        }
    }

    /// Returns the scopes that a service in the same process requires for an item: it gets the principal of the caller.
    /// Another server sees only the credentials of this program.
    pub(crate) fn scopes_of(&self, operation: Operation, name: &str) -> Vec<Cow<'static, str>> {
        let ServerPlace::Service(service) = &self.settings.target else { return Vec::new() };
        let registry = service.0.registry.read();
        let item = match operation {
            Operation::CallTool => registry.find(name),
            _ => registry.find_other(operation, name),
        };
        item.map(|item: &std::sync::Arc<RegisteredTool>| item.definition.scopes.clone()).unwrap_or_default()
    }
}
