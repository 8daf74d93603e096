//! Builds the service of a server.

use std::sync::{Arc, OnceLock};

use super::{Server, settings::ServerSettings};
use crate::{
    engine::{
        call::{
            observer::{Observer as _, observer},
            operation::Operation,
        },
        tool::{host_warnings, live_registry::LiveRegistry, registry::Registry},
    },
    serve::server::core::{
        build_error::BuildError,
        last_client::LastClient,
        page_cache::PageCache,
        service::{AddTasks, BuiltParts, Inner, Service},
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
        #[cfg(feature = "settings")]
        let server = self.load_settings();
        #[cfg(not(feature = "settings"))]
        let server = self;
        let ServerSettings { mut service, items, mut extensions, reports_warnings, durability, built, mut problems } =
            *server.0;
        problems.extend(service.sampling.problem());
        let mut registry = Registry::new(items, service.of_items(), &mut problems);
        registry.add_views(&extensions, service.of_items(), &mut problems);
        let has_tasks = registry.iter().any(|tool| tool.definition.has_tasks())
            || extensions.iter().any(|extension| extension.has_tasks());
        #[cfg(feature = "actions")]
        if has_tasks {
            <crate::engine::call::observer::Runtime as AddTasks>::add_tasks(&extensions);
        }
        let tools_can_change = extensions.iter().any(|extension| extension.can_change(Operation::CallTool));
        let parts = BuiltParts { registry: &registry, settings: &service, has_tasks, tools_can_change };
        extensions.complete(&parts, &mut problems);
        let multi_round = registry.multi_round().or(durability.multi_round);
        let durable = durability.complete(service.limits.open_calls, &mut problems);
        if !problems.is_empty() {
            return Err(BuildError::of("server", problems));
        }
        if durable.is_ledger_shared() {
            registry.process_bound_warnings().for_each(|warning| crate::report!("{warning}"));
        }
        if reports_warnings {
            host_warnings::of(registry.iter()).iter().for_each(|warning| crate::report!("{warning}"));
        }
        observer().built();
        service.identity.add_guides(registry.iter().map(|tool| &tool.definition));
        let service = Arc::new(Inner {
            info: serde_json::to_string(&service.identity.to_json(Revision::LATEST)).unwrap_or_default(),
            settings: service,
            registry: LiveRegistry::new(registry),
            durable: Arc::new(durable),
            multi_round: multi_round.map_or_else(OnceLock::new, OnceLock::from),
            loads: extensions.iter().find(|extension| extension.loads()),
            extensions,
            stopping: Default::default(),
            pages: PageCache::default(),
            last_client: LastClient::default(),
            #[cfg(feature = "testing")]
            runs: crate::engine::call::run_counter::RunCounter::default(),
        });
        built.set(&service);
        Ok(Service(service))
    }
}
