//! The settings of a host, and its start.

use std::{collections::HashMap, fmt, sync::Arc, time::Duration};

use tokio::runtime::Handle;

use super::{
    Plugin, PluginHost, PluginLimits,
    handler::{AnsweredBy, SharedHandler},
    state::{HostState, STORED},
    store::CallStore,
};
use crate::{
    BuildError, Server,
    call::{Outlet, hold::LedgerError, request::Peer},
    protocol::frame::Frame,
    server::connection::Connection,
    tool::{AsksWith, Tool},
};

/// The settings of a [`PluginHost`].
#[must_use = "the host runs only after `start`"]
pub struct PluginHostBuilder {
    server: Server,
    handlers: HashMap<Box<str>, SharedHandler>,
    instance: String,
    limits: PluginLimits,
    keep_ended: Duration,
}

/// The reason why a host cannot start.
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

impl PluginHostBuilder {
    pub(super) fn new(server: Server) -> Self {
        Self {
            server,
            handlers: HashMap::new(),
            instance: "app".to_owned(),
            limits: PluginLimits::default(),
            keep_ended: Duration::from_secs(5 * 60),
        }
    }

    /// Adds a tool with its handler. A tool that shows no form needs no handler.
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

    /// Sets how many calls, event streams and bytes the host keeps, for each user and in all.
    pub fn limits(mut self, limits: PluginLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets how long a call can be followed after its end. Default: five minutes. [`PluginLimits`] says how many ended
    /// calls are kept in this time. A ledger that outlives the process keeps each call for a day, and four times as many
    /// ended calls.
    pub fn keep_ended(mut self, time: Duration) -> Self {
        self.keep_ended = time;
        self
    }

    /// Sets the name of this host. The name distinguishes the host from other hosts that share its ledger. It consists
    /// of letters, digits, `-` and `_`. Default: `app`. A call belongs to the host that has begun it, and is resumed
    /// when a host with the same name starts again. So no two running processes may use the same name.
    ///
    /// # Panics
    /// Panics if the name is empty, longer than 32 bytes, or has other characters.
    pub fn instance(mut self, name: impl Into<String>) -> Self {
        let name = name.into();
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        assert!(
            (1..=32).contains(&name.len()) && name.bytes().all(fits),
            "`{name}` is not a valid name for a host: use 1 to 32 letters, digits, `-` and `_`"
        );
        self.instance = name;
        self
    }

    /// Starts the host, and resumes the calls that were open when the previous process ended. If a question of a call
    /// was open, the call waits for the answer again.
    ///
    /// # Errors
    /// Fails if the server cannot be built, or if the ledger cannot be read.
    ///
    /// # Panics
    /// Panics outside of a tokio runtime.
    pub async fn start(self) -> Result<PluginHost, StartError> {
        let Self { server, handlers, instance, limits, keep_ended } = self;
        let service = server.build()?;
        let peer = Peer::new(Arc::new(NoMessages), None);
        let connection = Connection::new(&service, peer, Handle::current());
        let store = CallStore::new(service.0.durable.entries(), instance, STORED, limits.ended);
        let state = HostState::new(service, connection, handlers, store, limits, keep_ended);
        let host = PluginHost(Arc::new(state));
        host.0.resume_stored().await?;
        Ok(host)
    }
}

/// The outlet of the connection. It gets no messages, because each request has its own outlet.
struct NoMessages;

impl Outlet for NoMessages {
    fn send(&self, _: Frame) {}
}

impl fmt::Debug for PluginHostBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PluginHostBuilder").field("instance", &self.instance).finish_non_exhaustive()
    }
}
