//! A complete server: its state, and what it publishes.

use std::{
    fmt,
    sync::{
        Arc, OnceLock, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::{Map, Value, json};
use tokio::runtime::Handle;

use super::{
    extension::{Changing, Extensions},
    identity::Identity,
    last_client::LastClient,
    limits::{ErrorMapper, HttpRules, Limits},
    listing::{Listed, Pages},
    live_registry::LiveRegistry,
};
use crate::{
    engine::{
        call::{MessageSink, multi_round::MultiRound, request::Session},
        durable::Durable,
        layer::Layers,
        sample::provider::Sampling,
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
pub(crate) const DEFAULT_TTL: Duration = Duration::from_secs(3600);

/// A complete server, which can serve any number of clients. A clone is cheap, and shares the state of the server.
#[derive(Clone)]
pub struct Service(pub(crate) Arc<Inner>);

/// A weak reference to a service, for the handles of the service's lists. So a service can contain a handle in its own
/// state, and the handle does not keep the service alive.
#[derive(Clone, Default)]
pub(crate) struct ServiceRef(Arc<OnceLock<Weak<Inner>>>);

/// The state that all connections and calls of a server share.
pub(crate) struct Inner {
    pub(crate) identity: Identity,
    /// The `Implementation` object as JSON text. Since 2026-07-28 it is part of every result.
    pub(crate) info: String,
    pub(crate) registry: LiveRegistry,
    pub(crate) durable: Arc<Durable>,
    /// Multi-round support. If a tool declares that it asks, or if the author sets a ledger, this field is set when the
    /// server is built. Otherwise this field is set later, for example with the first question or step.
    pub(crate) multi_round: OnceLock<&'static dyn MultiRound>,
    pub(crate) states: States,
    pub(crate) input: InputSettings,
    /// What the server has besides tools, such as prompts and notices about changes.
    pub(crate) extensions: Extensions,
    /// The author's error mapper, if there is one.
    pub(crate) error_mapper: Option<ErrorMapper>,
    /// Whether a result contains the messages of an error's sources. Not used with an error mapper.
    pub(crate) error_sources: bool,
    pub(crate) layers: Option<Box<dyn Layers>>,
    pub(crate) limits: Limits,
    pub(crate) http_rules: HttpRules,
    /// Whether new calls are rejected.
    pub(crate) stopping: AtomicBool,
    pub(crate) redirect_stdout: bool,
    pub(crate) page_size: usize,
    /// How long clients can cache a list, if the author has set it.
    pub(crate) ttl: Option<Duration>,
    pub(crate) hide_unauthorized: bool,
    pub(crate) pages: Pages,
    pub(crate) last_client: LastClient,
    pub(crate) sampling: Sampling,
    #[cfg(feature = "testing")]
    pub(crate) runs: crate::engine::call::run_counter::RunCounter,
}

impl Inner {
    /// Rejects new calls from now on.
    #[cfg(feature = "http")]
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
    }

    /// Returns the resource or template that clients read with this URI.
    pub(crate) fn find_resource(&self, uri: &str) -> Option<Arc<RegisteredTool>> {
        let registry = self.registry.read();
        self.extensions.iter().find_map(|extension| extension.resource(&registry, uri))
    }

    /// Whether the server has this method besides those that every server has.
    #[cfg(feature = "cli")]
    pub(crate) fn has_method(&self, method: &str) -> bool {
        self.extensions.iter().any(|extension| extension.methods().contains(&method))
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }
}

impl ServiceRef {
    /// Sets the service, after it was built.
    pub(crate) fn set(&self, service: &Arc<Inner>) {
        // Each builder builds one service.
        let _ = self.0.set(Arc::downgrade(service));
    }

    /// Returns the service, if it still exists.
    pub(crate) fn get(&self) -> Option<Arc<Inner>> {
        self.0.get()?.upgrade()
    }
}

impl Service {
    /// Returns everything that the server publishes, as JSON: its identity, and the definition (in the newest revision)
    /// and requirements of each tool, prompt and resource. A build step or a review can compare two manifests.
    pub fn manifest(&self) -> Value {
        let registry = self.0.registry.read();
        let tools = registry.iter().map(|tool| {
            let mut object = json!(Listed::new(tool, Revision::LATEST));
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
        for (name, value) in self.0.extensions.iter().flat_map(|extension| extension.manifest(&registry)) {
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
        let can_change = || self.extensions.iter().any(|extension| extension.can_change(changing));
        self.ttl.unwrap_or_else(|| if can_change() { Duration::ZERO } else { DEFAULT_TTL })
    }

    /// Sends notices to the client of this session from now on, until the session is dropped.
    pub(crate) fn session_began(&self, session: &Session, outlet: &Arc<dyn MessageSink>, runtime: &Handle) {
        self.extensions.iter().for_each(|extension| Arc::clone(extension).session_began(session, outlet, runtime));
    }

    /// Adds the cache hints and the server's identity, which every cacheable result since 2026-07-28 has.
    pub(crate) fn add_modern_hints(&self, result: &mut Map<String, Value>, ttl: Duration, cache_scope: &str) {
        let ttl = u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX);
        set(result, "ttlMs", ttl.into());
        set(result, "cacheScope", cache_scope.into());
        let identity = self.identity.to_json(Revision::LATEST);
        set(result, "_meta", object([("io.modelcontextprotocol/serverInfo", identity)]));
    }
}
