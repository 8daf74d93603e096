//! `Server`, the builder of a server.

use std::{
    fmt,
    sync::{Arc, OnceLock},
    time::Duration,
};

use super::{
    Inner, Service,
    identity::{Icon, Identity},
    last_client::LastClient,
    list_change::ServiceRef,
    listing::Pages,
    live_registry::LiveRegistry,
    notices::Notices,
    part::Settings,
    surface::Surface,
};
use crate::{
    call::observer::{Observer as _, observer},
    durable::ledger::quota,
    error::ToolError,
    layer::{Layer, Layers, Stack},
    protocol::revision::Revision,
    sample::sampling::Sampling,
    server::durability::Durability,
    tool::{IntoTools, State, Tool, registry::Registry, state::States},
};

/// The builder of a server: its identity, its tools and their shared state.
///
/// ```
/// use mcp_runtime::{Server, prelude::*};
///
/// struct Greeting(&'static str);
///
/// /// Greets a person.
/// #[mcp_tool(read_only)]
/// async fn greet(greeting: &Greeting, name: String) -> String {
///     format!("{}, {name}!", greeting.0)
/// }
///
/// let service = Server::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
///     .instructions("Greet before you ask.")
///     .state(Greeting("Good morning"))
///     .tools(tools![greet])
///     .build()
///     .expect("the server is complete");
/// ```
#[must_use]
pub struct Server {
    identity: Identity,
    tools: Vec<Box<dyn Tool>>,
    /// What the author added besides tools, such as prompts.
    pub(super) surfaces: Vec<Box<dyn Surface>>,
    pub(crate) states: States,
    pub(super) durability: Durability,
    pub(super) sampling: Sampling,
    layers: Option<Box<dyn Layers>>,
    /// The reference to the service in the handles of lists that change. It is set when the service is built.
    pub(super) service: Option<ServiceRef>,
    /// Notices about changes, if something can change.
    pub(super) notices: Option<Arc<dyn Notices>>,
    problems: Vec<String>,
    error_mapper: ErrorMapper,
    limits: Limits,
    /// The settings of other modules, such as `http`.
    pub(super) settings: Vec<Box<dyn Settings>>,
    redirect_stdout: bool,
    page_size: usize,
    ttl: Duration,
}

pub(crate) type ErrorMapper = Box<dyn Fn(&ToolError) -> (bool, String) + Send + Sync>;

/// The limits that a server sets for its clients.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The maximum size of a message in bytes. If it is `None`, the transport uses its default.
    pub(crate) message_size: Option<usize>,
    pub(crate) concurrent_calls: usize,
    pub(crate) shutdown_grace: Duration,
    /// The limits for the open calls of one owner.
    pub(crate) open_calls: quota::QuotaLimits,
}

impl Limits {
    /// Returns the maximum size of a message on a connection, in bytes.
    pub(crate) fn message_size(&self) -> usize {
        self.message_size.unwrap_or(4 * 1024 * 1024)
    }
}

/// The error of a server that cannot be built. It lists all problems. If there are several problems, each of them is on
/// a separate line. `{:?}` prints the same text. So `unwrap` prints this text, and so does a program whose `main`
/// returns the error.
///
/// ```
/// use mcp_runtime::{Server, prelude::*};
///
/// /// Counts.
/// #[mcp_tool]
/// async fn count(start: &u64) -> Text<u64> {
///     Text(start + 1)
/// }
///
/// let error = Server::new("s", "1.0.0").tools(tools![count]).tools(tools![count]).build().unwrap_err();
/// assert_eq!(error.problems().len(), 3);
/// assert!(error.to_string().starts_with("the server cannot be built:\n  - tool `count`: takes `&u64`"));
/// ```
pub struct BuildError {
    /// The kind of thing that cannot be built, such as "server". The error message contains it.
    what: &'static str,
    problems: Vec<String>,
}

impl Server {
    /// Creates a server with a name and version, usually `env!("CARGO_PKG_NAME")` and `env!("CARGO_PKG_VERSION")`.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            identity: Identity {
                name: name.into(),
                title: None,
                version: version.into(),
                icons: Vec::new(),
                website_url: None,
                instructions: None,
            },
            tools: Vec::new(),
            surfaces: Vec::new(),
            states: States::default(),
            durability: Durability::default(),
            sampling: Sampling::default(),
            layers: None,
            service: None,
            notices: None,
            problems: Vec::new(),
            error_mapper: Box::new(|error| (true, error.chain())),
            limits: Limits {
                message_size: None,
                concurrent_calls: 16 * 1024,
                shutdown_grace: Duration::from_secs(10),
                open_calls: quota::QuotaLimits { calls: 8 * 1024, bytes: 8 * 1024 * 1024 },
            },
            settings: Vec::new(),
            redirect_stdout: true,
            page_size: 250,
            ttl: Duration::from_secs(3600),
        }
    }

    /// Sets the display name (since 2025-06-18).
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.identity.title = Some(title.into());
        self
    }

    /// Sets the instructions for the model, such as how to use the tools together.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.identity.instructions = Some(instructions.into());
        self
    }

    /// Adds an icon (since 2025-11-25).
    pub fn icon(mut self, icon: Icon) -> Self {
        self.identity.icons.push(icon);
        self
    }

    /// Sets the URL of a web page that describes the server to people (since 2025-11-25).
    pub fn website_url(mut self, url: impl Into<String>) -> Self {
        self.identity.website_url = Some(url.into());
        self
    }

    /// Adds a shared value that tools take by reference, such as `db: &Db`. There can be one value of each type.
    pub fn state<T: State>(mut self, value: T) -> Self {
        if !self.states.insert(value) {
            let ty = std::any::type_name::<T>();
            self.problems.push(format!("`.state()` got two values of the type `{ty}`; wrap one of them in a new type"));
        }
        self
    }

    /// Adds a shared value, in the place of an earlier one of its type.
    pub(crate) fn replace_state<T: State>(&mut self, value: T) {
        self.states.insert(value);
    }

    /// Adds a list of tools, such as `tools![search, files::read]`. Rename the tools of a library with
    /// [`prefix`](IntoTools::prefix) or [`rename`](IntoTools::rename): `git::tools().prefix("git_")`.
    pub fn tools(mut self, tools: impl IntoTools) -> Self {
        self.tools.extend(tools.into_tools());
        self
    }

    /// Adds a tool.
    pub fn tool(mut self, tool: impl Tool) -> Self {
        self.tools.push(Box::new(tool));
        self
    }

    /// Sets the function that converts a tool's error to a result. The function returns the `isError` of the result and
    /// its text. Default: `isError` is `true`, and the text consists of the messages of the error and its sources.
    ///
    /// ```
    /// # use mcp_runtime::Server;
    /// let server = Server::new("s", "1.0.0").error_mapper(|error| {
    ///     match error.downcast_ref::<std::io::Error>() {
    ///         Some(_) => (true, "the disk cannot be read; try again later".to_owned()),
    ///         None => (true, error.chain()),
    ///     }
    /// });
    /// ```
    pub fn error_mapper(mut self, mapper: impl Fn(&ToolError) -> (bool, String) + Send + Sync + 'static) -> Self {
        self.error_mapper = Box::new(mapper);
        self
    }

    /// Adds a layer around every call of every tool, inside the layers added before. Default: none. See the module
    /// [`layer`](crate::layer).
    ///
    /// ```
    /// use mcp_runtime::{Server, layer::{self, CallInfo}};
    ///
    /// let server = Server::new("s", "1.0.0").layer(layer::admit_fn(async |call: CallInfo| {
    ///     match call.tool() {
    ///         "delete_all" => Err("`delete_all` is disabled; delete the entries one by one".into()),
    ///         _ => Ok(()),
    ///     }
    /// }));
    /// ```
    pub fn layer(mut self, layer: impl Layer) -> Self {
        self.layers.get_or_insert_with(|| Box::new(Stack::default())).push(Box::new(layer));
        self
    }

    /// Sets the maximum size of a message in bytes. Default: 4 MiB, and 1 MiB over HTTP. A larger message is answered
    /// with an error.
    pub fn max_message_size(mut self, bytes: usize) -> Self {
        self.limits.message_size = Some(bytes);
        self
    }

    /// Sets how many calls can run at once. Default: 16,384. Further calls wait. Over HTTP, all clients share the
    /// limit, and a call waits at most for [`HttpLimits::queue_timeout`](crate::HttpLimits::queue_timeout). The server
    /// still reads messages while calls wait, so that a client can cancel them. A call that waits for a user's answer
    /// does not count.
    ///
    /// The memory of running and waiting calls is limited too. For the client on standard input the limit is 64 MiB,
    /// and each call counts as 4 KiB plus twice the size of its arguments. Further calls are rejected before they
    /// begin. For HTTP see [`HttpLimits`](crate::HttpLimits).
    pub fn max_concurrent_calls(mut self, calls: usize) -> Self {
        self.limits.concurrent_calls = calls.max(1);
        self
    }

    /// Sets how many calls of one client can be open at once. Default: 8,192. A call is open from its first request
    /// until its end, also while it waits for an answer. Two kinds of calls count: calls of tools that declare that
    /// they ask the client, and calls with an idempotency key.
    ///
    /// A client is a [`Principal`](crate::Principal), or the address of an HTTP request without a principal. The client
    /// on standard input has no quota.
    ///
    /// A call counts until it is finished or its request states have expired. The states expire an hour after the
    /// call's last round, or after the time that the tool sets with `answer_within`. Some calls count until their
    /// states have expired, even if the calls are finished. These are calls with an idempotency key, and calls whose
    /// journal was too large for a state. A call that exceeds the quota is rejected before the tool runs. Over HTTP,
    /// its status is
    /// 429. Other clients are not affected, and open calls continue.
    ///
    /// A call that cannot be rebuilt (its tool is neither `replayable` nor a handoff) waits in the memory of its
    /// process. One client can have 2,048 such calls, and all clients together can have 16,384. A call counts until its
    /// states have expired. Such calls, together with calls that wait in sessions over HTTP, can hold 128 MiB of
    /// arguments and replies.
    pub fn max_open_calls_per_client(mut self, calls: usize) -> Self {
        self.limits.open_calls.calls = calls;
        self
    }

    /// Sets how many bytes the [open calls](Self::max_open_calls_per_client) of one client can hold together. Default:
    /// 8 MiB. Each call counts as 1 KiB plus its arguments, its latest reply, and each of its journals that is too
    /// large for a state. The arguments count twice until the first question, and always in a session. A client without
    /// open calls can begin one call of any size.
    ///
    /// Keep the limit well below half the size of the ledger. When half of the ledger is used, the server rejects new
    /// calls of all clients. Over HTTP, their status is 503. A [`MemoryLedger`](crate::MemoryLedger) has a size of 128
    /// MiB by default.
    pub fn max_open_bytes_per_client(mut self, bytes: usize) -> Self {
        self.limits.open_calls.bytes = bytes;
        self
    }

    /// Sets how long running calls can continue after the client has disconnected, or after an HTTP server begins to
    /// shut down. Default: 10 seconds.
    pub fn shutdown_grace(mut self, grace: Duration) -> Self {
        self.limits.shutdown_grace = grace;
        self
    }

    /// Sets whether [`serve_stdio`](Self::serve_stdio) redirects standard output to standard error, so that the output
    /// of a tool, a library or a child process does not break the protocol. Default: `true`. Systems other than Unix
    /// ignore this setting.
    ///
    /// Pass `false` only if other code in the process must write whole protocol messages to the real standard output.
    ///
    /// ```
    /// # use mcp_runtime::Server;
    /// let server = Server::new("s", "1.0.0").redirect_stdout(false);
    /// ```
    #[cfg(feature = "stdio")]
    pub fn redirect_stdout(mut self, redirect: bool) -> Self {
        self.redirect_stdout = redirect;
        self
    }

    /// Sets how many items a page of a list, such as `tools/list`, holds. Default: 250, because many clients read only
    /// one page.
    pub fn page_size(mut self, tools: usize) -> Self {
        self.page_size = tools.max(1);
        self
    }

    /// Sets how long a client can cache a list, such as `tools/list` (since 2026-07-28), in whole milliseconds.
    /// Default: one hour.
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = ttl;
        self
    }

    /// Checks the server and creates its service.
    ///
    /// # Errors
    /// Returns all problems at once. Examples are a state that a tool takes but the server lacks, two tools with the
    /// same name, a schema that hosts reject, or a default that a client could not send.
    pub fn build(#[cfg_attr(not(feature = "tasks"), allow(unused_mut))] mut self) -> Result<Service, BuildError> {
        #[cfg(feature = "tasks")]
        <crate::call::runtime::Runtime as super::surface::AddTasks>::add_tasks(&mut self);
        let mut problems = self.problems;
        problems.extend(self.sampling.problem());
        let mut surfaces = self.surfaces;
        let others = surfaces.iter_mut().flat_map(|surface| surface.take_items()).collect();
        let done_by_server = self.sampling.instead_of_clients();
        let registry = Registry::new(self.tools, others, &self.states, done_by_server, &mut problems);
        let name = self.identity.title.as_ref().unwrap_or(&self.identity.name);
        let settings = self.settings.into_iter();
        let parts = settings.map(|settings| settings.complete(name, &mut problems)).collect();
        let surfaces = surfaces.into_iter();
        let method_sets = surfaces.map(|surface| surface.complete(&registry, &mut problems)).collect();
        let multi_round = registry.multi_round().or(self.durability.multi_round);
        let durable = self.durability.complete(self.limits.open_calls, &mut problems);
        if !problems.is_empty() {
            return Err(BuildError::of("server", problems));
        }
        if durable.ledger.as_ref().is_some_and(|ledger| ledger.is_shared()) {
            registry.process_bound_warnings().for_each(|warning| crate::report!("{warning}"));
        }
        observer().built();
        let identity = self.identity;
        #[cfg(feature = "actions")]
        let identity = identity.with_guides(registry.iter().map(|tool| &tool.definition));
        let notices = self.notices;
        // Clients can subscribe to tasks.
        #[cfg(feature = "tasks")]
        let notices = notices.or_else(|| {
            let has_tasks = registry.iter().any(|tool| tool.definition.has_tasks());
            has_tasks.then(|| Arc::<super::subscriptions::Subscriptions>::default() as _)
        });
        let service = Arc::new(Inner {
            info: serde_json::to_string(&identity.to_json(Revision::LATEST)).unwrap_or_default(),
            identity,
            registry: LiveRegistry::new(registry),
            durable: Arc::new(durable),
            multi_round: multi_round.map_or_else(OnceLock::new, OnceLock::from),
            states: self.states,
            method_sets,
            notices: notices.map_or_else(OnceLock::new, OnceLock::from),
            error_mapper: self.error_mapper,
            layers: self.layers,
            limits: self.limits,
            parts,
            stopping: Default::default(),
            redirect_stdout: self.redirect_stdout,
            page_size: self.page_size,
            ttl: self.ttl,
            pages: Pages::default(),
            last_client: LastClient::default(),
            sampling: self.sampling,
            #[cfg(feature = "testing")]
            runs: crate::call::run_counter::RunCounter::default(),
        });
        self.service.into_iter().for_each(|reference| reference.set(&service));
        Ok(Service(service))
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("identity", &self.identity)
            .field("tools", &self.tools.len())
            .finish_non_exhaustive()
    }
}

impl BuildError {
    pub(crate) fn of(what: &'static str, problems: Vec<String>) -> Self {
        Self { what, problems }
    }

    /// Creates the error of a change of the list with these items.
    pub(super) fn of_change(noun: &str, problems: Vec<String>) -> Self {
        let what = match noun {
            "tool" => "list of tools",
            "prompt" => "list of prompts",
            _ => "list of resources",
        };
        Self { what, problems }
    }

    /// Returns the problems, one sentence each.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.problems {
            [problem] => write!(f, "the {} cannot be built: {problem}", self.what),
            problems => write!(f, "the {} cannot be built:\n  - {}", self.what, problems.join("\n  - ")),
        }
    }
}

/// Writes the same text as `Display`, because Rust uses `Debug` to print the error that `main` returns.
impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for BuildError {}
