//! Builds the service of a server.

use std::sync::{Arc, OnceLock};

use super::Server;
#[cfg(feature = "actions")]
use crate::engine::call::observer::Runtime;
#[cfg(feature = "actions")]
use crate::serve::server::core::extension::AddTasks;
use crate::{
    engine::{
        call::observer::{Observer as _, observer},
        tool::{host_warnings, registered::ItemSettings, registry::Registry},
    },
    serve::server::core::{
        build_error::BuildError,
        extension::BuiltParts,
        last_client::LastClient,
        listing::Pages,
        live_registry::LiveRegistry,
        service::{Inner, Service},
    },
    wire::protocol::revision::Revision,
};

impl Server {
    /// Checks the server and creates its service. Logs a warning about tools that some hosts cannot fully show to their
    /// model; see the module [`schemas`](crate::guide::schemas).
    ///
    /// # Errors
    /// Returns all problems at once. Examples are a state that a tool takes but the server lacks, two tools with the
    /// same name, a schema that hosts reject, or a default that a client could not send.
    pub fn build(self) -> Result<Service, BuildError> {
        let settings = *self.0;
        let mut problems = settings.problems;
        problems.extend(settings.sampling.problem());
        let done_by_server = settings.sampling.instead_of_clients();
        let registry = Registry::new(
            settings.items,
            ItemSettings { states: &settings.states, input: settings.input, done_by_server },
            &mut problems,
        );
        let name = settings.identity.title.as_ref().unwrap_or(&settings.identity.name);
        let mut extensions = settings.extensions;
        #[cfg(feature = "actions")]
        if registry.iter().any(|tool| tool.definition.has_tasks()) {
            <Runtime as AddTasks>::add_tasks(&extensions);
        }
        let parts = BuiltParts { registry: &registry, states: &settings.states, name, limits: &settings.limits };
        extensions.complete(&parts, &mut problems);
        let multi_round = registry.multi_round().or(settings.durability.multi_round);
        let durable = settings.durability.complete(settings.limits.open_calls, &mut problems);
        if !problems.is_empty() {
            return Err(BuildError::of("server", problems));
        }
        if durable.ledger.as_ref().is_some_and(|ledger| ledger.is_shared()) {
            registry.process_bound_warnings().for_each(|warning| crate::report!("{warning}"));
        }
        if settings.reports_warnings {
            host_warnings::of(registry.iter()).iter().for_each(|warning| crate::report!("{warning}"));
        }
        observer().built();
        let identity = settings.identity;
        #[cfg(feature = "actions")]
        let identity = identity.with_guides(registry.iter().map(|tool| &tool.definition));
        let service = Arc::new(Inner {
            info: serde_json::to_string(&identity.to_json(Revision::LATEST)).unwrap_or_default(),
            identity,
            registry: LiveRegistry::new(registry),
            durable: Arc::new(durable),
            multi_round: multi_round.map_or_else(OnceLock::new, OnceLock::from),
            states: settings.states,
            input: settings.input,
            extensions,
            error_mapper: settings.error_mapper,
            error_sources: settings.error_sources,
            layers: settings.layers,
            limits: settings.limits,
            http_rules: settings.http_rules,
            stopping: Default::default(),
            redirect_stdout: settings.redirect_stdout,
            page_size: settings.page_size,
            ttl: settings.ttl,
            hide_unauthorized: settings.hide_unauthorized,
            pages: Pages::default(),
            last_client: LastClient::default(),
            sampling: settings.sampling,
            #[cfg(feature = "testing")]
            runs: crate::engine::call::run_counter::RunCounter::default(),
        });
        settings.service.set(&service);
        Ok(Service(service))
    }
}
