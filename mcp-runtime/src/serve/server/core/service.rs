//! The state of a server, its extensions, and the requests that they answer. These types know each other: an extension
//! gets each request together with the state of the server that contains the extension.

use std::{
    any::Any,
    fmt,
    sync::{
        Arc, OnceLock, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::{Map, Value};
use tokio::runtime::Handle;

use super::{
    last_client::LastClient, loading::Loading, page_cache::PageCache, pending_call::RequestReply, reply_to::ReplyTo,
    settings::ServiceSettings,
};
#[cfg(feature = "http")]
use crate::wire::protocol::headers::RepeatedHeaders;
use crate::{
    base::mutex::Mutex,
    engine::{
        call::{
            MessageSink,
            multi_round::MultiRound,
            operation::Operation,
            request::{Caller, Peer, Session},
        },
        durable::Durable,
        tool::{
            live_registry::LiveRegistry,
            registered::RegisteredTool,
            registry::{ItemList, Registry},
        },
    },
    wire::protocol::{
        error::RpcError,
        id::Id,
        json::{object, set},
        params::Params,
        revision::Revision,
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
    pub(crate) settings: ServiceSettings,
    /// The `Implementation` object as JSON text. Since 2026-07-28 it is part of every result.
    pub(crate) info: String,
    pub(crate) registry: LiveRegistry,
    pub(crate) durable: Arc<Durable>,
    /// Multi-round support. If a tool declares that it asks, or if the author sets a ledger, this field is set when the
    /// server is built. Otherwise this field is set later, for example with the first question or step.
    pub(crate) multi_round: OnceLock<&'static dyn MultiRound>,
    /// What the server has besides tools, such as prompts and notices about changes.
    pub(crate) extensions: Extensions,
    /// Whether new calls are rejected.
    pub(crate) stopping: AtomicBool,
    pub(crate) pages: PageCache,
    pub(crate) last_client: LastClient,
    /// The extension that loads its items after the server has begun to serve, if there is one.
    pub(crate) loads: Option<Arc<dyn Extension>>,
    #[cfg(feature = "testing")]
    pub(crate) runs: crate::engine::call::run_counter::RunCounter,
}

/// A request with its sender and the destination of its response.
#[derive(Clone, Copy)]
pub(crate) struct RequestContext<'a> {
    pub(crate) server: &'a Arc<Inner>,
    pub(crate) peer: &'a Peer,
    pub(crate) id: &'a Id<'a>,
    pub(crate) method: &'a str,
    pub(crate) params: &'a Params<'a>,
    /// The HTTP headers that repeat parts of the message. Requests before 2026-07-28 have none.
    #[cfg(feature = "http")]
    pub(crate) headers: Option<&'a RepeatedHeaders<'a>>,
    pub(crate) reply_to: &'a ReplyTo,
}

/// Something that a server has in addition to its tools. The same value holds the author's settings before the server is
/// built, and answers requests afterwards. By default, an extension does nothing. A program links only the extensions
/// that its author uses, such as prompts, notices about changes, tasks, or HTTP.
pub(crate) trait Extension: Any + Send + Sync {
    /// Checks the settings, when the server is built. Adds a sentence to `problems` for each problem. Returns the value
    /// that replaces this one in the service, or `None` if this one stays.
    fn complete(&mut self, _server: &BuiltParts<'_>, _problems: &mut Vec<String>) -> Option<Arc<dyn Extension>> {
        None
    }

    /// The names of its methods of the protocol.
    fn methods(&self) -> &'static [&'static str] {
        &[]
    }

    /// Adds what the client of this request can use to the server's capabilities.
    fn declare(&self, _context: RequestContext<'_>, _revision: Revision, _capabilities: &mut Map<String, Value>) {}

    /// Answers a request of one of the methods.
    fn answer<'a>(self: Arc<Self>, context: RequestContext<'a>, _: Caller) -> Result<RequestReply<'a>, RpcError> {
        Err(RpcError::method_not_found(context.method))
    }

    /// Returns the resource or template that clients read with this URI.
    fn resource(&self, _registry: &Registry, _uri: &str) -> Option<Arc<RegisteredTool>> {
        None
    }

    /// Returns the tools that `tools/list` shows, if it does not show all of them.
    fn listed_tools(&self, _registry: &Registry) -> Option<Arc<ItemList>> {
        None
    }

    /// Returns the item that reads a resource which no list has.
    fn unlisted_resource(&self) -> Option<Arc<RegisteredTool>> {
        None
    }

    /// Returns the members that it adds to the manifest, each with its name and value.
    fn manifest(&self, _registry: &Registry) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    /// Whether the items that requests of this kind call can change while the server runs. For resources, this includes
    /// their contents.
    fn can_change(&self, _kind: Operation) -> bool {
        false
    }

    /// Returns the instructions for the model that follow those of the author.
    fn instructions(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether the reply to the handshake depends on what [`load`](Self::load) loads.
    fn loads_handshake(&self) -> bool {
        false
    }

    /// Whether calls of its items can become tasks.
    fn has_tasks(&self) -> bool {
        false
    }

    /// Returns the name of the other server that may have this tool or prompt, if its items are not loaded.
    fn not_loaded(&self, _name: &str) -> Option<String> {
        None
    }

    /// Whether the extension loads its items after the server has begun to serve.
    fn loads(&self) -> bool {
        false
    }

    /// Begins to load the items, if this was not done yet. Returns what requests wait for, or `None` if they need not
    /// wait.
    fn load(&self, _: &Arc<Inner>) -> Option<Loading> {
        None
    }

    /// Sends notices about the lists to the client of a session from now on, until the session is dropped.
    fn session_began(self: Arc<Self>, _: &Session, _: &Arc<dyn MessageSink>, _: &Handle) {}

    /// Sends the waiting notices of this session. Called when the session's client has opened its stream.
    fn stream_opened(self: Arc<Self>, _: &Session) {}

    /// Returns what is wrong with what the extension needs from elsewhere, for health checks. Anyone can read it.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Ends the subscriptions whose notices go to this sink, and answers their requests.
    fn end_notices(&self, _: &Arc<dyn MessageSink>) {}

    /// Ends all subscriptions, and rejects new ones.
    fn end_all_notices(&self) {}
}

/// The parts of a server that its extensions need to check their settings.
pub(crate) struct BuiltParts<'s> {
    pub(crate) registry: &'s Registry,
    pub(crate) settings: &'s ServiceSettings,
    /// Whether calls of its items can become tasks.
    #[allow(dead_code, reason = "only the feature `actions` has tasks")]
    pub(crate) has_tasks: bool,
    /// Whether the tools can change while the server runs.
    pub(crate) tools_can_change: bool,
}

/// Adds an extension of the protocol to the server's capabilities, beside those of other [`Extension`]s.
pub(crate) fn declare_extension(capabilities: &mut Map<String, Value>, name: &str, settings: Value) {
    let extensions = capabilities.entry("extensions").or_insert_with(|| object([]));
    if let Value::Object(extensions) = extensions {
        set(extensions, name, settings);
    }
}

/// Adds tasks to a server with a tool that can have tasks.
pub(crate) trait AddTasks {
    fn add_tasks(extensions: &Extensions);
}

/// The extensions of a server, one of each type. Extensions can be added while the server runs.
#[derive(Default)]
pub(crate) struct Extensions(Mutex<Vec<Arc<dyn Extension>>>);

impl Extensions {
    /// Returns the extensions that the server has now.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Arc<dyn Extension>> + use<> {
        self.0.lock().clone().into_iter()
    }

    /// Returns the extension that answers requests of this method.
    pub(crate) fn of_method(&self, method: &str) -> Option<Arc<dyn Extension>> {
        self.0.lock().iter().find(|extension| extension.methods().contains(&method)).cloned()
    }

    /// Returns the extension of type `T`, if the server has it.
    pub(crate) fn get<T: Extension>(&self) -> Option<Arc<T>> {
        find(&self.0.lock())
    }

    /// Returns the extension of type `T`. If the server does not have it, adds the one that `new` creates.
    pub(crate) fn get_or_add<T: Extension>(&self, new: impl FnOnce() -> T) -> Arc<T> {
        let mut all = self.0.lock();
        find(&all).unwrap_or_else(|| {
            let new = Arc::new(new());
            all.push(Arc::clone(&new) as _);
            new
        })
    }

    /// Returns the extension of type `T` of a server that is not built yet, and adds it if necessary.
    pub(crate) fn settings<T: Extension + Default>(&mut self) -> &mut T {
        drop(self.get_or_add(T::default));
        let mut unshared = self.0.get_mut().iter_mut().filter_map(Arc::get_mut);
        let found = unshared.find_map(|extension| (extension as &mut dyn Any).downcast_mut());
        found.expect("the extension was added, and no service shares it yet")
    }

    /// Completes every extension, when the server is built.
    pub(crate) fn complete(&mut self, server: &BuiltParts<'_>, problems: &mut Vec<String>) {
        for extension in self.0.get_mut() {
            let settings = Arc::get_mut(extension).expect("no service shares it yet");
            if let Some(completed) = settings.complete(server, problems) {
                *extension = completed;
            }
        }
    }
}

fn find<T: Extension>(all: &[Arc<dyn Extension>]) -> Option<Arc<T>> {
    let known = all.iter().find(|known| (&***known as &dyn Any).is::<T>())?;
    (Arc::clone(known) as Arc<dyn Any + Send + Sync>).downcast().ok()
}

impl Inner {
    /// Returns whether a repeated first request with the same idempotency key is the same call, even after a restart.
    pub(crate) fn minds_keys(&self) -> bool {
        self.multi_round.get().is_some() && self.durable.is_ledger_shared()
    }

    /// Rejects new calls from now on.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    /// Returns the resource or template that clients read with this URI.
    pub(crate) fn find_resource(&self, uri: &str) -> Option<Arc<RegisteredTool>> {
        let registry = self.registry.read();
        self.extensions.iter().find_map(|extension| extension.resource(&registry, uri))
    }

    /// Returns the tools that `tools/list` shows, or `None` if it shows all of them.
    pub(crate) fn listed_tools(&self, registry: &Registry) -> Option<Arc<ItemList>> {
        self.extensions.iter().find_map(|extension| extension.listed_tools(registry))
    }

    /// Whether the server has this method besides those that every server has.
    pub(crate) fn has_method(&self, method: &str) -> bool {
        self.extensions.of_method(method).is_some()
    }

    /// Returns how long clients can cache the list of the items that requests of this kind call. A list that can change
    /// is not cached, unless the author has set a time.
    pub(crate) fn ttl_of(&self, kind: Operation) -> Duration {
        let can_change = || self.extensions.iter().any(|extension| extension.can_change(kind));
        self.settings.ttl.unwrap_or_else(|| if can_change() { Duration::ZERO } else { DEFAULT_TTL })
    }

    /// Returns the instructions for the model.
    pub(crate) fn instructions(&self) -> Option<String> {
        let own = self.settings.identity.instructions.clone();
        let texts: Vec<_> =
            own.into_iter().chain(self.extensions.iter().flat_map(|extension| extension.instructions())).collect();
        (!texts.is_empty()).then(|| texts.join("\n\n"))
    }

    /// Sends notices to the client of this session from now on, until the session is dropped.
    pub(crate) fn session_began(&self, session: &Session, sink: &Arc<dyn MessageSink>, runtime: &Handle) {
        self.extensions.iter().for_each(|extension| extension.session_began(session, sink, runtime));
    }

    /// Adds the cache hints and the server's identity, which every cacheable result since 2026-07-28 has.
    pub(crate) fn add_modern_hints(&self, result: &mut Map<String, Value>, ttl: Duration, cache_scope: &str) {
        let ttl = u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX);
        set(result, "ttlMs", ttl.into());
        set(result, "cacheScope", cache_scope.into());
        let identity = self.settings.identity.to_json(Revision::LATEST);
        set(result, "_meta", object([("io.modelcontextprotocol/serverInfo", identity)]));
    }
}

impl RequestContext<'_> {
    /// Whether the client can get notices about changes.
    pub(crate) fn can_get_notices(&self) -> bool {
        !self.peer.sessionless && !self.sends_only_answers()
    }

    /// Whether the server sends no event stream in reply to a request, whatever the client accepts. In a session, the
    /// client can still open a stream.
    pub(crate) fn sends_only_answers(&self) -> bool {
        self.is_modern() && self.peer.only_answer && self.server.settings.http_rules.json_replies
    }

    /// Whether the request names its revision, as requests since 2026-07-28 do.
    pub(crate) fn is_modern(&self) -> bool {
        self.params.meta.protocol_version.is_some()
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

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Service").field(&self.0.settings.identity).finish()
    }
}
