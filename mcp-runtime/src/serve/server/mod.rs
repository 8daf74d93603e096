//! The server: its builder, its tables of methods, its connections.

mod batch;
mod build;
mod build_error;
mod builder;
pub(crate) mod calling;
pub(crate) mod concurrency;
pub(crate) mod connection;
mod durability;
mod host;
mod identity;
mod inflight;
mod last_client;
pub(crate) mod list_change;
pub(crate) mod listing;
mod live_registry;
pub(crate) mod local_call;
mod methods;
pub(crate) mod notices;
pub(crate) mod part;
pub(crate) mod pending_call;
pub(crate) mod request;
mod sampling;
#[cfg(feature = "seal")]
mod sealing;
mod settings;
pub(crate) mod subscriptions;
pub(crate) mod surface;
#[cfg(test)]
mod tests;
mod tool_list;

use std::{
    fmt,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::{Map, Value, json};

pub(crate) use self::settings::{ErrorMapper, HttpRules, Limits};
pub use self::{
    build_error::BuildError,
    builder::Server,
    tool_list::{ToolChanges, ToolList},
};
use self::{
    identity::Identity, last_client::LastClient, listing::Pages, live_registry::LiveRegistry, notices::Notices,
    part::Parts, subscriptions::Changing, surface::MethodSet,
};
use crate::{
    engine::{
        call::multi_round::MultiRound,
        durable::Durable,
        layer::Layers,
        sample::sampling::Sampling,
        tool::{FormEntry, registered::RegisteredTool, state::States},
    },
    wire::{
        protocol::{
            json::{object, set},
            revision::Revision,
        },
        schema::InputSettings,
    },
};

/// How long clients can cache a list that cannot change.
const DEFAULT_TTL: Duration = Duration::from_secs(3600);

/// A complete server, which can serve any number of clients. A clone is cheap, and shares the state of the server.
#[derive(Clone)]
pub struct Service(pub(crate) Arc<Inner>);

/// The state that all connections and calls of a server share.
pub(crate) struct Inner {
    pub(crate) identity: Identity,
    /// The `Implementation` object as JSON text. Since 2026-07-28 it is part of every result.
    info: String,
    pub(crate) registry: LiveRegistry,
    pub(crate) durable: Arc<Durable>,
    /// Multi-round support. If a tool declares that it asks, or if the author sets a ledger, this field is set when the
    /// server is built. Otherwise this field is set later, for example with the first question or step.
    pub(crate) multi_round: OnceLock<&'static dyn MultiRound>,
    pub(crate) states: States,
    pub(crate) input: InputSettings,
    /// The methods of items other than tools, such as prompts.
    method_sets: Vec<Box<dyn MethodSet>>,
    /// Tells clients about changes. Empty if no part of the server can change.
    pub(crate) notices: OnceLock<Arc<dyn Notices>>,
    /// The author's error mapper, if there is one.
    pub(crate) error_mapper: Option<ErrorMapper>,
    /// Whether a result contains the messages of an error's sources. Not used with an error mapper.
    pub(crate) error_sources: bool,
    pub(crate) layers: Option<Box<dyn Layers>>,
    pub(crate) limits: Limits,
    pub(crate) http_rules: HttpRules,
    /// The values that other modules, such as `http`, store in the server.
    parts: Parts,
    /// Whether new calls are rejected.
    stopping: AtomicBool,
    pub(crate) redirect_stdout: bool,
    pub(crate) page_size: usize,
    /// How long clients can cache a list, if the author has set it.
    ttl: Option<Duration>,
    hide_unauthorized: bool,
    pub(crate) pages: Pages,
    last_client: LastClient,
    pub(crate) sampling: Sampling,
    #[cfg(feature = "testing")]
    pub(crate) runs: crate::engine::call::run_counter::RunCounter,
}

impl Inner {
    /// Rejects new calls from now on.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
    }

    /// Returns the resource or template that clients read with this URI.
    pub(crate) fn find_resource(&self, uri: &str) -> Option<Arc<RegisteredTool>> {
        let registry = self.registry.read();
        self.method_sets.iter().find_map(|set| set.resource(&registry, uri))
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }
}

impl Service {
    /// Returns everything that the server publishes, as JSON: its identity, and the definition (in the newest revision)
    /// and requirements of each tool, prompt and resource. A build step or a review can compare two manifests.
    pub fn manifest(&self) -> Value {
        let registry = self.0.registry.read();
        let tools = registry.iter().map(|tool| {
            let mut object = json!(listing::Listed::new(tool, Revision::LATEST));
            let optional = self.0.sampling.of_use(tool);
            for (name, needs) in [("requires", tool.requires), ("optional", optional)] {
                if !needs.is_empty() {
                    object[name] = needs.to_json();
                }
            }
            if !tool.definition.scopes.is_empty() {
                object["scopes"] = json!(tool.definition.scopes);
            }
            if !tool.definition.forms.is_empty() {
                object["forms"] = tool.definition.forms.iter().copied().map(FormEntry::to_json).collect();
            }
            if tool.definition.replayable {
                object["replayable"] = json!(true);
            }
            for (name, time) in
                [("timeoutMs", tool.definition.timeout), ("answerWithinMs", tool.definition.answer_within)]
            {
                if let Some(time) = time {
                    object[name] = json!(time.as_millis() as u64);
                }
            }
            if self.0.durable.waives_ledger(tool) && tool.may_ask() {
                object["once"] = json!("perInstance");
            }
            object
        });
        let mut manifest = json!({
            "server": self.0.identity.to_json(Revision::LATEST),
            "instructions": self.0.identity.instructions,
            "protocolVersions": Revision::ALL.map(Revision::as_str),
            "tools": tools.collect::<Vec<_>>(),
        });
        for (name, value) in self.0.method_sets.iter().flat_map(|set| set.manifest(&registry)) {
            manifest[name] = value;
        }
        manifest
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Service").field(&self.0.identity).finish()
    }
}

impl Inner {
    /// Returns how long clients can cache a list of this part of the server. A list that can change is not cached, unless
    /// the author has set a time.
    pub(crate) fn ttl_of(&self, changing: Changing) -> Duration {
        let can_change = || self.notices.get().is_some_and(|notices| notices.can_change(changing));
        self.ttl.unwrap_or_else(|| if can_change() { Duration::ZERO } else { DEFAULT_TTL })
    }

    /// Adds the cache hints and the server's identity, which every cacheable result since 2026-07-28 has.
    fn add_modern_hints(&self, result: &mut Map<String, Value>, ttl: Duration, cache_scope: &str) {
        let ttl = u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX);
        set(result, "ttlMs", ttl.into());
        set(result, "cacheScope", cache_scope.into());
        let identity = self.identity.to_json(Revision::LATEST);
        set(result, "_meta", object([("io.modelcontextprotocol/serverInfo", identity)]));
    }
}
