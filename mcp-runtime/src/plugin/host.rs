//! The host: it runs the tools of a server inside an application.

use std::{
    collections::HashMap,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use tokio::runtime::Handle;

use super::{
    Plugin, PluginCall, PluginError,
    driver::Driver,
    event::CallStatus,
    handler::{AnsweredBy, SharedHandler},
    live::{LiveCall, NewCall},
    record::{CallRecord, CallStep},
    store::CallStore,
    table::{CallLimits, CallsOfHost},
    timeline::Timeline,
};
use crate::{
    BuildError, Server, Service,
    call::{Outlet, Principal, clock, hold::LedgerError, request::Peer},
    protocol::frame::Frame,
    random, schema,
    server::connection::Connection,
    tool::{AsksWith, Tool, registered::RegisteredTool},
};

/// Runs the tools of a server inside an application. A clone is cheap and shares the calls.
///
/// See the [module](super) for an example.
#[derive(Clone)]
pub struct PluginHost(pub(super) Arc<HostState>);

/// The settings of a [`PluginHost`].
#[must_use = "the host runs only after `start`"]
pub struct PluginHostBuilder {
    server: Server,
    handlers: HashMap<Box<str>, SharedHandler>,
    instance: String,
    limits: CallLimits,
}

/// One tool of a host.
#[derive(Clone, Debug)]
pub struct HostedPlugin {
    pub(super) host: PluginHost,
    pub(super) name: Arc<str>,
    title: Option<Arc<str>>,
}

/// Why a host cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The server cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The open calls cannot be read from the ledger.
    #[error("the open calls cannot be read")]
    Ledger(#[from] LedgerError),
}

/// What all calls of a host share.
pub(super) struct HostState {
    pub(super) service: Service,
    pub(super) connection: Connection,
    pub(super) handlers: HashMap<Box<str>, SharedHandler>,
    pub(super) store: CallStore,
    pub(super) table: CallsOfHost,
    requests: AtomicU64,
    /// Whether the streams of the router end.
    #[cfg(feature = "http")]
    streams_end: tokio::sync::watch::Sender<bool>,
}

/// How long stored calls are kept: longer than any question may stay open by default.
const STORED: Duration = Duration::from_secs(24 * 60 * 60);

impl PluginHost {
    /// Begins a host for the tools of `server`. The settings of the server apply: its state, its ledger, its model, its
    /// layers.
    ///
    /// The tools that the server has already, and those without a [handler](Plugin::on_elicit), ask on the timeline of
    /// their calls: a program that follows a call [answers](PluginCall::answer) them.
    pub fn builder(server: Server) -> PluginHostBuilder {
        PluginHostBuilder {
            server,
            handlers: HashMap::new(),
            instance: "app".to_owned(),
            limits: CallLimits { each: 64, all: 16 * 1024, keep_ended: Duration::from_secs(5 * 60) },
        }
    }

    /// Calls a tool for the application itself. The arguments must be a JSON object.
    ///
    /// Arguments that do not fit the tool's schema are no error here: the result of the call then tells the model what
    /// is wrong.
    ///
    /// # Errors
    /// Fails if there is no such tool, if the arguments are no object, or if the ledger cannot store the call.
    pub async fn call(&self, tool: &str, arguments: impl Serialize) -> Result<PluginCall, PluginError> {
        self.begin(None, random::hex(), tool, &arguments).await
    }

    /// Calls a tool for a user of the application. Only this user can follow the call and answer its questions.
    ///
    /// # Errors
    /// See [`call`](Self::call). Fails too if the user has too many open calls.
    pub async fn call_as(
        &self,
        owner: impl Into<Principal>,
        tool: &str,
        arguments: impl Serialize,
    ) -> Result<PluginCall, PluginError> {
        self.begin(Some(owner.into()), random::hex(), tool, &arguments).await
    }

    /// Calls a tool for a user, at most once for each key. With a key that the user has used before, returns that call,
    /// whatever the other arguments are.
    ///
    /// A program that stores what it is about to do, and does it again after a restart, needs this: a first try of which
    /// it knows nothing may have begun the call. A call is remembered as long as [`find_as`](Self::find_as) finds it.
    ///
    /// # Errors
    /// See [`call_as`](Self::call_as).
    pub async fn call_once_as(
        &self,
        owner: impl Into<Principal>,
        key: &str,
        tool: &str,
        arguments: impl Serialize,
    ) -> Result<PluginCall, PluginError> {
        let owner = owner.into();
        let id = id_of_key(owner.name(), key);
        match self.find_of(Some(owner.clone()), &id).await {
            Err(PluginError::UnknownCall) => self.begin(Some(owner), id, tool, &arguments).await,
            found => found,
        }
    }

    /// Returns a call of the application itself.
    ///
    /// # Errors
    /// Fails if there is no such call, or if the ledger cannot be read.
    pub async fn find(&self, id: &str) -> Result<PluginCall, PluginError> {
        self.find_of(None, id).await
    }

    /// Returns a call of this user. A call that has ended can be found for five minutes after its end, and with a
    /// ledger that outlives the process for a day.
    ///
    /// # Errors
    /// Fails if the user has no such call, or if the ledger cannot be read.
    pub async fn find_as(&self, owner: impl Into<Principal>, id: &str) -> Result<PluginCall, PluginError> {
        self.find_of(Some(owner.into()), id).await
    }

    /// Returns the open calls of the application itself, oldest first.
    pub fn open_calls(&self) -> Vec<PluginCall> {
        self.open_calls_of(None)
    }

    /// Returns the open calls of this user, oldest first.
    pub fn open_calls_as(&self, owner: impl Into<Principal>) -> Vec<PluginCall> {
        self.open_calls_of(Some(&owner.into()))
    }

    /// Returns a tool of the host.
    pub fn plugin(&self, name: &str) -> Option<HostedPlugin> {
        let tool = self.0.find(name)?;
        let title = tool.definition.title.as_deref().map(Arc::from);
        Some(HostedPlugin { host: self.clone(), name: name.into(), title })
    }

    /// Ends the streams of the [router](Self::router), so that a graceful shutdown does not wait for calls that wait for
    /// their users. The calls run on until the process ends.
    #[cfg(feature = "http")]
    pub fn end_streams(&self) {
        self.0.streams_end.send_replace(true);
    }

    /// Returns the MCP server with the same tools. It can be served beside the application, for example with
    /// [`serve_stdio`](Service::serve_stdio) or [`router`](Service::router).
    pub fn server(&self) -> &Service {
        &self.0.service
    }

    pub(super) async fn find_of(&self, owner: Option<Principal>, id: &str) -> Result<PluginCall, PluginError> {
        let call = match self.0.table.find(id) {
            Some(call) => call,
            None => {
                let record = self.0.store.load(id).await.map_err(PluginError::Ledger)?;
                let record = record.filter(|record| matches!(record.step, CallStep::Over));
                let (call, ..) = self.0.restored(record.ok_or(PluginError::UnknownCall)?);
                call
            }
        };
        if !call.belongs_to(owner.as_ref()) {
            return Err(PluginError::UnknownCall);
        }
        Ok(PluginCall::new(call))
    }

    pub(super) fn open_calls_of(&self, owner: Option<&Principal>) -> Vec<PluginCall> {
        self.0.table.open_calls(owner).into_iter().map(PluginCall::new).collect()
    }

    async fn begin(
        &self,
        owner: Option<Principal>,
        id: String,
        name: &str,
        arguments: &impl Serialize,
    ) -> Result<PluginCall, PluginError> {
        let tool = self.0.find(name).ok_or_else(|| self.0.unknown_tool(name))?;
        let arguments = to_raw_value(arguments).ok().filter(|text| text.get().starts_with('{'));
        let arguments = arguments.ok_or(PluginError::InvalidArguments)?;
        let call = NewCall {
            id: id.into(),
            tool: name.into(),
            title: tool.definition.title.as_deref().map(Box::from),
            arguments,
            owner,
            started_at: clock::now(),
        };
        let call = Arc::new(LiveCall::new(call, Timeline::new(), CallStatus::Working));
        if let Some(earlier) = self.0.table.begin(&call, false)? {
            return Ok(PluginCall::new(earlier));
        }
        call.timeline.push_hidden("started", &StartedBody::of(&call));
        if let Err(error) = self.0.store_first(&call).await {
            self.0.table.refuse(&call);
            return Err(PluginError::Ledger(error));
        }
        call.timeline.show(false);
        self.0.drive(&call, CallStep::Begin, 0);
        Ok(PluginCall::new(call))
    }
}

impl HostedPlugin {
    /// Returns the name of the tool.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the display name of the tool, if it has one.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Returns the host of the tool.
    pub fn host(&self) -> &PluginHost {
        &self.host
    }

    /// Calls the tool for the application itself.
    ///
    /// # Errors
    /// See [`PluginHost::call`].
    pub async fn call(&self, arguments: impl Serialize) -> Result<PluginCall, PluginError> {
        self.host.call(&self.name, arguments).await
    }

    /// Calls the tool for a user of the application.
    ///
    /// # Errors
    /// See [`PluginHost::call_as`].
    pub async fn call_as(
        &self,
        owner: impl Into<Principal>,
        arguments: impl Serialize,
    ) -> Result<PluginCall, PluginError> {
        self.host.call_as(owner, &self.name, arguments).await
    }
}

impl PluginHostBuilder {
    /// Adds a tool with its handler. A tool that shows no form needs none.
    pub fn plugin<T, H, S>(mut self, plugin: Plugin<T, H>) -> Self
    where
        T: Tool + AsksWith<S>,
        S: AnsweredBy<H>,
    {
        let Plugin { tool, handler } = plugin;
        if let Some(handler) = S::handler(handler) {
            self.handlers.insert(tool.definition().name.as_ref().into(), handler);
        }
        self.server = self.server.tool(tool);
        self
    }

    /// Sets how many open calls one user may have. Default: 64. Calls of the application itself do not count.
    pub fn max_open_calls_per_owner(mut self, calls: usize) -> Self {
        self.limits.each = calls;
        self
    }

    /// Sets how many open calls there may be together. Default: 16,384.
    pub fn max_open_calls(mut self, calls: usize) -> Self {
        self.limits.all = calls;
        self
    }

    /// Sets how long a call can be followed after its end. Default: five minutes. A ledger that outlives the process
    /// keeps it for a day.
    pub fn keep_ended(mut self, time: Duration) -> Self {
        self.limits.keep_ended = time;
        self
    }

    /// Names this host among the processes that share its ledger: letters, digits, `-` and `_`. Default: `app`. A call
    /// belongs to the host that has begun it, and goes on when a host of this name starts again, so no two running
    /// processes may have the same name.
    ///
    /// # Panics
    /// Panics if the name is empty, longer than 32 bytes, or has other characters.
    pub fn instance(mut self, name: impl Into<String>) -> Self {
        let name = name.into();
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        assert!(
            (1..=32).contains(&name.len()) && name.bytes().all(fits),
            "`{name}` cannot name a host: use 1 to 32 letters, digits, `-` and `_`"
        );
        self.instance = name;
        self
    }

    /// Starts the host. Calls that were open when the process ended go on: each waits at its open question.
    ///
    /// # Errors
    /// Fails if the server cannot be built, or if the ledger cannot be read.
    ///
    /// # Panics
    /// Panics outside of a tokio runtime.
    pub async fn start(self) -> Result<PluginHost, StartError> {
        let Self { server, handlers, instance, limits } = self;
        let service = server.build()?;
        let peer = Peer::new(Arc::new(NoMessages), None);
        let connection = Connection::new(&service, peer, Handle::current());
        let store = CallStore::new(service.0.durable.entries(), instance, STORED);
        let table = CallsOfHost::new(limits);
        let state = HostState {
            service,
            connection,
            handlers,
            store,
            table,
            requests: AtomicU64::new(1),
            #[cfg(feature = "http")]
            streams_end: tokio::sync::watch::Sender::new(false),
        };
        let host = PluginHost(Arc::new(state));
        host.0.resume_stored().await?;
        Ok(host)
    }
}

impl HostState {
    pub(super) fn find(&self, tool: &str) -> Option<Arc<RegisteredTool>> {
        self.service.0.registry.find(tool)
    }

    pub(super) fn next_request(&self) -> u64 {
        self.requests.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns how long a question of this tool waits for its answer.
    pub(super) fn answer_within(&self, tool: &str) -> Duration {
        self.find(tool).map_or(STORED, |tool| tool.definition.states_kept()).min(STORED)
    }

    /// Waits for `read`, or until the streams end. Returns `None` if they end first.
    #[cfg(feature = "http")]
    pub(super) async fn until_streams_end<T>(&self, read: impl Future<Output = T>) -> Option<T> {
        let mut ending = self.streams_end.subscribe();
        let (mut ends, mut read) = (std::pin::pin!(ending.wait_for(|ends| *ends)), std::pin::pin!(read));
        std::future::poll_fn(|cx| match read.as_mut().poll(cx) {
            std::task::Poll::Ready(read) => std::task::Poll::Ready(Some(read)),
            std::task::Poll::Pending => ends.as_mut().poll(cx).map(|_| None),
        })
        .await
    }

    fn unknown_tool(&self, name: &str) -> PluginError {
        let registry = self.service.0.registry.read();
        let known = registry.iter().map(|tool| &*tool.definition.name);
        PluginError::UnknownTool {
            name: name.to_owned(),
            nearest: schema::nearest::nearest(name, known).map(Into::into),
        }
    }

    async fn store_first(&self, call: &LiveCall) -> Result<(), LedgerError> {
        if !self.store.is_durable() {
            return Ok(());
        }
        self.store.open(&call.id).await?;
        self.store.store(&CallRecord::of(call, CallStep::Begin, 0)).await
    }

    fn drive(self: &Arc<Self>, call: &Arc<LiveCall>, step: CallStep, asked: u32) {
        let driver = Driver { host: Arc::clone(self), call: Arc::clone(call), step, asked };
        tokio::spawn(driver.run());
    }

    fn restored(&self, record: CallRecord) -> (Arc<LiveCall>, CallStep, u32) {
        let title = self.find(&record.tool).and_then(|tool| tool.definition.title.as_deref().map(Box::from));
        let (call, step, asked) = record.into_call(title);
        (Arc::new(call), step, asked)
    }

    /// Resumes the calls that were open when the process ended.
    async fn resume_stored(self: &Arc<Self>) -> Result<(), LedgerError> {
        for id in self.store.open_calls().await? {
            let record = self.store.load(&id).await?.filter(|record| !matches!(record.step, CallStep::Over));
            let Some(record) = record else {
                self.store.close(&id).await?;
                continue;
            };
            let (call, step, asked) = self.restored(record);
            // Stored calls are added whatever the limits are.
            if self.table.begin(&call, true).is_ok() {
                self.drive(&call, step, asked);
            }
        }
        Ok(())
    }
}

/// Returns the id of the call that a user begins with this key.
fn id_of_key(owner: &str, key: &str) -> String {
    let mut hash = hmac_sha256::Hash::new();
    // The length separates the name from the key.
    hash.update((owner.len() as u64).to_be_bytes());
    hash.update(owner);
    hash.update(key);
    hash.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[derive(Serialize)]
struct StartedBody<'a> {
    tool: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    arguments: &'a RawValue,
}

impl<'a> StartedBody<'a> {
    fn of(call: &'a LiveCall) -> Self {
        Self { tool: &call.tool, title: call.title.as_deref(), arguments: &call.arguments }
    }
}

/// The connection itself gets no messages: each request has its own outlet.
struct NoMessages;

impl Outlet for NoMessages {
    fn send(&self, _: Frame) {}
}

impl fmt::Debug for PluginHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PluginHost").field(&self.0.service).finish()
    }
}

impl fmt::Debug for PluginHostBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PluginHostBuilder").field("instance", &self.instance).finish_non_exhaustive()
    }
}
